import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import type { Clients } from '../engine/clients.ts'
import { measure } from '../metrics/metrics.ts'
import { subjectRows } from '../read/subject-rows.ts'
import { countSelection } from '../read/trace-selection.ts'
import type { TraceRow } from '../rows/row-types.ts'
import { batchOf, testLog, testScore, testTrace } from '../testing/testing.ts'
import { KilledError, killAfter, openTestClients } from '../testing/testing-clients.ts'
import { deleteScoresOfUser, deleteSlice, planSlice } from './delete-traces.ts'
import { insertBatch } from './insert.ts'
import { countOldParts, removeOldParts, restoreLifetime } from './old-parts.ts'
import { beginPurge, engineTime, isPurging, purgeSteps } from './purge.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

const anyTime = 8.64e12

async function record(workspaceId: string, traces: readonly Partial<TraceRow>[]): Promise<TraceRow[]> {
  const rows = traces.map((fields) => testTrace({ workspaceId, logCount: 2, cost: 1, ...fields }))
  await insertBatch(
    clients,
    batchOf({
      traces: rows,
      logs: rows.flatMap((trace) => [
        testLog(trace, { logId: 'a', model: 'm' }),
        testLog(trace, { logId: 'b', position: 1, model: 'm' }),
      ]),
      scores: rows.map((trace) => testScore(trace)),
    }),
  )
  return rows
}

const countsOf = async (workspaceId: string) => ({
  hourly: [
    ...(await measure(clients, workspaceId, {
      measures: ['traces', 'cost'],
      dimensions: ['feature'],
      filters: {},
    })),
    ...(await measure(clients, workspaceId, { measures: ['logs'], dimensions: ['model'], filters: {} })),
  ],
  rows: await Promise.all(
    ['traces', 'logs', 'scores'].map(async (table) => {
      const [row] = await clients.search<{ rows: string }>(
        `SELECT toString(count()) AS rows FROM ${table} WHERE workspace_id = {workspace:String}`,
        { workspace: workspaceId },
      )
      return Number(row?.rows)
    }),
  ),
})

test('a slice deletes traces with their logs, scores and contribution to the sums, wherever it is interrupted', async () => {
  for (let statements = 0; ; statements++) {
    const workspaceId = randomUUID()
    await record(workspaceId, [{ userId: 'ada' }, { userId: 'ada' }, { userId: 'bob' }])
    const selection = {
      workspaceId,
      untilMs: anyTime,
      type: 'subject',
      subject: { type: 'user', ids: ['ada'] },
    } as const
    assert.deepEqual(await countSelection(clients, selection), { traces: 2, logs: 4, scores: 2 })
    const slice = await planSlice(clients, selection, { limit: 10 })
    assert.ok(slice)
    assert.deepEqual(slice.rows, { traces: 2, logs: 4, scores: 2, spans: 0 })
    const work = { traces: slice.traces, token: randomUUID(), keepsSums: false }
    let isKilled = false
    await deleteSlice(killAfter(statements, clients), workspaceId, work).catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error
      isKilled = true
    })
    await deleteSlice(clients, workspaceId, work)
    assert.deepEqual(await countsOf(workspaceId), {
      hourly: [
        { feature: null, traces: 1, cost: 1 },
        { model: 'm', logs: 2 },
      ],
      rows: [1, 2, 1],
    })
    assert.equal(await planSlice(clients, selection, { limit: 10 }), undefined)
    if (!isKilled) return
  }
})

test('slices follow one another and leave out later arrivals', async () => {
  const workspaceId = randomUUID()
  const rows = await record(workspaceId, [{ startUs: 3n }, { startUs: 1n }, { startUs: 2n }])
  const selection = { workspaceId, untilMs: anyTime, type: 'filters', filters: {} } as const
  const first = await planSlice(clients, selection, { limit: 2 })
  assert.deepEqual(
    first?.traces.map(({ traceId }) => traceId),
    [rows[1]!.traceId, rows[2]!.traceId],
  )
  const rest = await planSlice(clients, selection, { limit: 2, after: first?.traces.at(-1) })
  assert.deepEqual(
    rest?.traces.map(({ traceId }) => traceId),
    [rows[0]!.traceId],
  )
  assert.equal(await planSlice(clients, { ...selection, untilMs: 1000 }, { limit: 2 }), undefined)
  const byId = { workspaceId, untilMs: anyTime, type: 'ids', traceIds: [rows[0]!.traceId, "x'"] } as const
  assert.equal((await planSlice(clients, byId, { limit: 9 }))?.traces.length, 1)
})

test('an insert does not wait for a running deletion', async () => {
  const workspaceId = randomUUID()
  let isDeleting = true
  const deletion = clients
    .maintain('SELECT count() FROM numbers(3) WHERE sleepEachRow(1) = 1')
    .then(() => (isDeleting = false))
  await record(workspaceId, [{}])
  assert.ok(isDeleting)
  await deletion
})

test('retention keeps the sums', async () => {
  const workspaceId = randomUUID()
  await record(workspaceId, [{}, {}])
  const { hourly } = await countsOf(workspaceId)
  const slice = await planSlice(
    clients,
    { workspaceId, untilMs: anyTime, type: 'filters', filters: {} },
    { limit: 9 },
  )
  await deleteSlice(clients, workspaceId, { traces: slice!.traces, token: 'kept', keepsSums: true })
  assert.deepEqual(await countsOf(workspaceId), { hourly, rows: [0, 0, 0] })
})

test('each statement of a slice first yields to inserts', async () => {
  const workspaceId = randomUUID()
  await record(workspaceId, [{}, {}])
  const selection = { workspaceId, untilMs: anyTime, type: 'filters', filters: {} } as const
  const slice = await planSlice(clients, selection, { limit: 9 })
  const steps: string[] = []
  const spied: Clients = {
    ...clients,
    maintain: async (sql, parameters) => {
      steps.push(/^DELETE FROM (\w+)/.exec(sql)?.[1] ?? sql)
      await clients.maintain(sql, parameters)
    },
  }
  const plan = { traces: slice!.traces, token: 'yields', keepsSums: true }
  await deleteSlice(spied, workspaceId, plan, async () => void steps.push('yield'))
  assert.deepEqual(steps, ['yield', 'traces', 'yield', 'logs', 'yield', 'scores'])
})

test('traces without a user belong to the only user of their session', async () => {
  const workspaceId = randomUUID()
  const rows = await record(workspaceId, [
    { sessionId: 'own', userId: 'ada' },
    { sessionId: 'own' },
    { sessionId: 'shared', userId: 'ada' },
    { sessionId: 'shared', userId: 'bob' },
    { sessionId: 'shared' },
    { sessionId: null },
  ])
  const selection = { workspaceId, untilMs: anyTime, type: 'sessions', userIds: ['ada'] } as const
  const slice = await planSlice(clients, selection, { limit: 9 })
  assert.deepEqual(
    slice?.traces.map(({ traceId }) => traceId),
    [rows[1]!.traceId],
  )
})

test('a slice deletes the calls that judged a session of its traces, and no other calls', async () => {
  const workspaceId = randomUUID()
  const [ada, bob] = await record(workspaceId, [
    { userId: 'ada', sessionId: 'shared' },
    { userId: 'bob', sessionId: 'shared' },
  ])
  const judge = (judgedSessionId: string): Partial<TraceRow> => ({
    userId: 'bob',
    featureSlug: 'plumbline-judges',
    metadata: JSON.stringify({ judgedTraceId: bob!.traceId, judgedSessionId }),
  })
  const [ofShared] = await record(workspaceId, [judge('shared'), judge('another')])
  const subject = { type: 'user', ids: ['ada'] } as const
  const selection = { workspaceId, untilMs: anyTime, type: 'subject', subject } as const
  const slice = await planSlice(clients, selection, { limit: 9 })
  assert.deepEqual(
    slice?.traces.map(({ traceId }) => traceId),
    [ofShared!.traceId, ada!.traceId],
  )
})

test('deleted rows leave the disk with a purge, and not before', async () => {
  const workspaceId = randomUUID()
  const [, other] = await record(workspaceId, [{ userId: 'ada' }, { input: '"Hi ada"' }])
  const score = testScore(other!, { userId: 'ada' })
  await insertBatch(clients, batchOf({ scores: [score] }))
  const subject = { type: 'user', ids: ['ada'] } as const
  const selection = { workspaceId, untilMs: anyTime, type: 'subject', subject } as const
  const slice = await planSlice(clients, selection, { limit: 9 })
  await deleteSlice(clients, workspaceId, { traces: slice!.traces, token: 'purged', keepsSums: false })
  const options = { userIds: ['ada'], untilMs: anyTime, limit: 9 }
  const { scores, partitions } = await deleteScoresOfUser(clients, workspaceId, options)
  assert.equal(scores, 1)
  const onDisk = await subjectRows(clients, workspaceId, subject, anyTime)
  assert.deepEqual(onDisk, { traces: 1, logs: 2, scores: 1, spans: 0, mentions: 1 })
  for (const step of purgeSteps) {
    await beginPurge(clients, { ...slice!.partitions, ...partitions }, step)
    await eventually(async () => assert.equal(await isPurging(clients), false))
  }
  assert.deepEqual(await subjectRows(clients, workspaceId, subject, anyTime), {
    ...{ traces: 0, logs: 0, scores: 0, spans: 0 },
    mentions: 1,
  })
  assert.ok((await countOldParts(clients, new Date(anyTime))) > 0)
  assert.deepEqual((await countsOf(workspaceId)).rows, [1, 2, 1])
})

test('files of replaced parts are deleted on request, and not before', async () => {
  const settings = () =>
    clients.read<{ engine: string }>(
      'SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() ORDER BY name',
      {},
    )
  const before = await settings()
  await clients.command('ALTER TABLE logs MODIFY SETTING old_parts_lifetime = 1')
  await restoreLifetime(clients)
  assert.deepEqual(await settings(), before)
  const workspaceId = randomUUID()
  await record(workspaceId, [{}])
  const [partition] = await clients.read<{ id: string }>(
    'SELECT DISTINCT _partition_id AS id FROM traces',
    {},
  )
  await beginPurge(clients, { traces: [partition!.id] }, 'APPLY DELETED MASK')
  const countOldRows = async (): Promise<number> => countOldParts(clients, await engineTime(clients))
  await eventually(async () => assert.ok((await countOldRows()) > 0))
  await eventually(async () => {
    await removeOldParts(clients)
    assert.equal(await countOldRows(), 0)
  })
  assert.deepEqual((await countsOf(workspaceId)).rows, [1, 2, 1])
  assert.deepEqual(await settings(), before)
})
