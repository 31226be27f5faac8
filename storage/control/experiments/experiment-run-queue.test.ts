import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openControlStore } from '../store/open.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines, forEachControlStore, type OpenedWorkspace, testConnection } from '../testing.ts'
import { type CaseUpdate, experimentRunQueue } from './experiment-run-queue.ts'
import type { ClaimedCase, ExperimentRun } from './experiment-run-rows.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const deadlineAt = later(86_400_000)
const leaseMs = 60_000
const leaseOwner = 'node one'

forEachControlStore('the queue of cases', (open) => {
  const connect = ({ workspace }: OpenedWorkspace, fields: { spendMaxPerDay?: number } = {}) =>
    workspace.connections.create(testConnection({ concurrencyMax: 3, ...fields }), now)
  async function start(
    { workspace }: OpenedWorkspace,
    fields: { connectionId?: string; rows?: number; repetitions?: number; spendMax?: number } = {},
  ): Promise<ExperimentRun> {
    if ((await workspace.features.find('chat')) === undefined)
      await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    const { rows = 4, repetitions = 1, connectionId, spendMax } = fields
    const id = await workspace.experimentRuns.create(
      {
        datasetSlug: 'cases',
        datasetVersion: 1,
        target: '{}',
        sealedHeaders: undefined,
        connectionId,
        evaluatorSlugs: [],
        repetitions,
        concurrency: 8,
        spendMax,
        createdBy: 'somebody',
        experiment: { name: 'Tried', featureSlug: 'chat' },
        rows: Array.from({ length: rows }, (_, position) => ({
          id: `row-${position}`,
          position,
          name: undefined,
          values: '{}',
          idealOutput: undefined,
          metadata: undefined,
        })),
      },
      { now, deadlineAt },
    )
    return (await workspace.experimentRuns.find(id))!
  }
  const begin = (
    { store }: OpenedWorkspace,
    run: ExperimentRun,
    options: { time?: Date; limit?: number; leaseOwner?: string } = {},
  ): Promise<ClaimedCase[]> => {
    const time = options.time ?? now
    const leaseExpiresAt = new Date(time.getTime() + leaseMs)
    return store.experimentRuns.claim(run, {
      leaseOwner: options.leaseOwner ?? leaseOwner,
      limit: options.limit ?? 100,
      leaseExpiresAt,
      now: time,
      concurrencyMax: 8,
    })
  }
  const updateOf = (experimentCase: ClaimedCase, cost?: number): CaseUpdate => ({
    experimentCase,
    type: 'done',
    traceId: `${experimentCase.position} ${experimentCase.repetition}`,
    cost,
    durationMs: 5,
  })
  const finish = ({ store }: OpenedWorkspace, run: ExperimentRun, outcome: CaseUpdate, owner = leaseOwner) =>
    store.experimentRuns.finish(run, outcome, { leaseOwner: owner, now })
  const countsOf = async ({ workspace }: OpenedWorkspace, { id }: ExperimentRun) =>
    (await workspace.experimentRuns.counts([id])).get(id)!

  test('a case is claimed once, and the first repetition of all rows before the second of any', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 2, repetitions: 2 })
    const first = await begin(opened, run, { limit: 3, time: later(10) })
    const second = await begin(opened, run, { leaseOwner: 'node two', time: later(10) })
    assert.deepEqual(
      [...first, ...second].map(({ position, repetition }) => [position, repetition]),
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ],
    )
    assert.deepEqual(await begin(opened, run, { time: later(10) }), [])
  })

  test('a connection limits the cases and evaluations of all its runs together', async () => {
    const opened = await open()
    const { id: connectionId } = await connect(opened)
    const [first, other] = [await start(opened, { connectionId }), await start(opened, { connectionId })]
    const target = { connectionId, model: 'm' }
    const evaluation = {
      id: 'e',
      workspaceId: opened.workspaceId,
      traceId: 't',
      logId: undefined,
      evaluatorSlug: 'polite',
      evaluatorVersion: 1,
      target,
      isCode: false,
    }
    await opened.store.evaluations.add([evaluation], { now, deadlineAt })
    assert.equal((await begin(opened, first, { limit: 1 })).length, 1)
    const group = { workspaceId: opened.workspaceId, target, isCode: false }
    const claim = { leaseOwner, limit: 9, leaseExpiresAt: later(leaseMs), now, concurrencyMax: 8 }
    assert.equal((await opened.store.evaluations.claim(group, claim)).evaluations.length, 1)
    assert.equal((await begin(opened, other)).length, 1)
    assert.deepEqual(await begin(opened, other), [])
  })

  test('the result of a case counts only from its lease owner', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 1 })
    const [lostCase] = (await begin(opened, run)) as [ClaimedCase]
    const time = later(leaseMs + 1)
    await opened.store.experimentRuns.reclaim({ expiredAt: time }, time)
    const [claimed] = (await begin(opened, run, { time, leaseOwner: 'node two' })) as [ClaimedCase]
    assert.equal(claimed.attempts, 2)
    await finish(opened, run, { ...updateOf(lostCase), type: 'failed', problem: 'late' })
    assert.equal((await countsOf(opened, run)).running, 1)
    await finish(opened, run, updateOf(claimed), 'node two')
    const ended = await opened.workspace.experimentRuns.find(run.id)
    assert.deepEqual([ended?.status, ended?.endedAt], ['done', now])
    assert.deepEqual(await opened.workspace.experimentRuns.listTraceIds(run.id), ['0 0'])
  })

  test('a retry waits until it is due, and attempts that fail for external reasons are not counted', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 1 })
    const [experimentCase] = (await begin(opened, run)) as [ClaimedCase]
    const freeResult = { cost: undefined, durationMs: undefined }
    const dueAt = later(5000)
    await finish(opened, run, {
      experimentCase,
      type: 'again',
      problem: 'busy',
      dueAt,
      isCharged: false,
      ...freeResult,
    })
    await opened.store.experimentRuns.openCircuit(run.id, { until: dueAt, problem: 'Patience.', now })
    // Runs of other tests are in the same store.
    const isOpen = async (time: Date): Promise<boolean> =>
      (await opened.store.experimentRuns.openRuns(time, 100)).some(({ id }) => id === run.id)
    assert.deepEqual([await isOpen(later(4999)), await isOpen(dueAt)], [false, true])
    assert.ok((await opened.store.experimentRuns.nextDueMs())! <= dueAt.getTime())
    const [again] = (await begin(opened, run, { time: dueAt })) as [ClaimedCase]
    assert.deepEqual([again.attempts, again.problem], [1, 'busy'])
  })

  test('the failures of a run are cleared once its circuit breaker is closed', async () => {
    const opened = await open()
    const run = await start(opened)
    const { openCircuit, clearProblems } = opened.store.experimentRuns
    await openCircuit(run.id, { until: later(5000), problem: 'Patience.', now })
    const problemsAfter = async (time: Date) => {
      await clearProblems(run.id, time)
      const current = await opened.workspace.experimentRuns.find(run.id)
      return [current?.problem, current?.problems]
    }
    assert.deepEqual(await problemsAfter(later(4999)), ['Patience.', 1])
    assert.deepEqual(await problemsAfter(later(5000)), [undefined, 0])
  })

  test('cases are read in row order, page by page, and by status', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 2, repetitions: 2 })
    await start(opened)
    const [first] = (await begin(opened, run, { limit: 1 })) as [ClaimedCase]
    await finish(opened, run, updateOf(first, 0.5))
    const { cases } = opened.workspace.experimentRuns
    const page = await cases({ runId: run.id }, { limit: 3 })
    const rest = await cases({ runId: run.id }, { limit: 3, after: page.next })
    assert.deepEqual(
      [...page.items, ...rest.items].map(({ position, repetition, status }) => [
        position,
        repetition,
        status,
      ]),
      [
        [0, 0, 'done'],
        [0, 1, 'waiting'],
        [1, 0, 'waiting'],
        [1, 1, 'waiting'],
      ],
    )
    const { items: done } = await cases({ runId: run.id, status: 'done' }, { limit: 3 })
    assert.deepEqual(
      done.map(({ rowId, traceId, cost }) => [rowId, traceId, cost]),
      [['row-0', '0 0', 0.5]],
    )
    const { workspace: other } = await open()
    assert.deepEqual((await other.experimentRuns.cases({ runId: run.id }, { limit: 3 })).items, [])
  })

  test('waiting cases fail once the run has reached its spend limit or its deadline', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 3, spendMax: 1 })
    const [first] = (await begin(opened, run, { limit: 1 })) as [ClaimedCase]
    await finish(opened, run, updateOf(first, 1.5))
    assert.deepEqual(await begin(opened, run), [])
    assert.deepEqual(await countsOf(opened, run), {
      waiting: 0,
      running: 0,
      done: 1,
      failed: 2,
      cancelled: 0,
    })
    const finishedRun = await opened.workspace.experimentRuns.find(run.id)
    assert.deepEqual([finishedRun?.status, finishedRun?.cost], ['done', 1.5])
    const late = await start(opened, { rows: 2 })
    assert.deepEqual(await begin(opened, late, { time: later(86_400_001) }), [])
    assert.equal((await countsOf(opened, late)).failed, 2)
  })

  test('a reached daily limit pauses a run until midnight', async () => {
    const opened = await open()
    const { id: connectionId } = await connect(opened, { spendMaxPerDay: 1 })
    const run = await start(opened, { connectionId })
    const [first] = (await begin(opened, run, { limit: 1 })) as [ClaimedCase]
    await finish(opened, run, updateOf(first, 2))
    assert.deepEqual(await begin(opened, run), [])
    const pausedRun = await opened.workspace.experimentRuns.find(run.id)
    assert.deepEqual(pausedRun?.heldUntil, new Date('2026-03-02T00:00:00Z'))
    assert.match(pausedRun?.problem ?? '', /has reached its spending limit of .* a day/)
    assert.equal((await opened.workspace.connections.list(now))[0]?.spentToday, 2)
  })

  test('a cancelled run starts no cases, still accepts results of running ones, and runs the rest when retried', async () => {
    const opened = await open()
    const run = await start(opened)
    const [first, second] = (await begin(opened, run, { limit: 2 })) as [ClaimedCase, ClaimedCase]
    await opened.workspace.experimentRuns.cancel(run.id, now)
    assert.deepEqual(await begin(opened, run), [])
    await finish(opened, run, updateOf(first))
    const freeResult = { cost: undefined, durationMs: undefined }
    await finish(opened, run, {
      experimentCase: second,
      type: 'again',
      problem: 'x',
      dueAt: now,
      isCharged: true,
      ...freeResult,
    })
    const counts = await countsOf(opened, run)
    assert.deepEqual([counts.done, counts.cancelled, counts.waiting], [1, 3, 0])
    const times = { now, deadlineAt }
    assert.equal(await opened.workspace.experimentRuns.retry({ id: run.id, spendMax: 2 }, times), 3)
    assert.equal((await begin(opened, run)).length, 3)
    assert.equal((await opened.workspace.experimentRuns.find(run.id))?.spendMax, 2)
  })

  test('a run whose rows an erasure empties ends, and runs none of them again', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 4 })
    const [first, second, third] = (await begin(opened, run, { limit: 3 })) as [
      ClaimedCase,
      ClaimedCase,
      ClaimedCase,
    ]
    await finish(opened, run, updateOf(first))
    const freeResult = { cost: undefined, durationMs: undefined }
    await finish(opened, run, { experimentCase: second, type: 'failed', problem: 'x', ...freeResult })
    const rows = [0, 1, 2, 3].map((position) => ({ runId: run.id, position }))
    assert.equal(await opened.workspace.subjectReferences.emptyRunRows(rows, now), 4)
    const counts = await countsOf(opened, run)
    assert.deepEqual([counts.done, counts.failed, counts.cancelled], [1, 1, 2])
    assert.equal((await opened.workspace.experimentRuns.find(run.id))?.status, 'done')
    // The result of the running case comes too late.
    await finish(opened, run, updateOf(third))
    const times = { now, deadlineAt }
    assert.equal(await opened.workspace.experimentRuns.retry({ id: run.id, spendMax: undefined }, times), 0)
    assert.deepEqual(await countsOf(opened, run), counts)
  })

  test('a run with some erased rows continues with the others', async () => {
    const opened = await open()
    const run = await start(opened, { rows: 2 })
    await opened.workspace.subjectReferences.emptyRunRows([{ runId: run.id, position: 0 }], now)
    const [left] = (await begin(opened, run)) as [ClaimedCase]
    await finish(opened, run, updateOf(left))
    assert.equal((await opened.workspace.experimentRuns.find(run.id))?.status, 'done')
  })

  test('deleting an experiment deletes its run', async () => {
    const opened = await open()
    const run = await start(opened)
    await opened.workspace.experiments.remove(run.experimentId)
    assert.equal(await opened.workspace.experimentRuns.find(run.id), undefined)
  })
})

test('finding the cases of dead nodes on SQLite reads only running cases', async (t) => {
  const sqlite = engines.find(({ name }) => name === 'SQLite')
  if (sqlite === undefined) return
  const place = await sqlite.emptyPlace()
  await (await openControlStore(place.location)).close()
  const database = openSqlite('file' in place.location ? place.location.file : '')
  t.after(async () => {
    await database.close()
    await place.remove()
  })
  const plans: string[] = []
  const queue = experimentRunQueue({
    ...database,
    transaction: (work) =>
      database.transaction((sql) =>
        work(async (strings, ...values) => {
          const explained = Object.assign([`EXPLAIN QUERY PLAN ${strings[0]}`, ...strings.slice(1)], {
            raw: strings.raw,
          })
          plans.push(...(await sql<{ detail: string }>(explained, ...values)).map(({ detail }) => detail))
          return sql(strings, ...values)
        }),
      ),
  })
  for (const lease of [{ expiredAt: now }, { leaseOwner }]) await queue.reclaim(lease, now)
  assert.deepEqual(
    plans,
    Array(2).fill('SCAN experiment_run_cases USING INDEX experiment_run_cases_under_way'),
  )
})
