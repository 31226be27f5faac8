// One control plane is enough: erasures.test.ts and tests of the storage run these statements on both.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  makeDataset,
  makeEvaluator,
  makeFeature,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'
import { makeFile } from '../../../testing/things.ts'

const { get, preview, update } = operations.retention
let offsetMs = 0
const { app, newWorkspace, send } = await startTestApp({ now: () => new Date(Date.now() + offsetMs) })
const dayMs = 86_400_000
const nothing = {
  days: null,
  features: [],
  environments: [],
  ledgerSampleDays: null,
  fileDays: null,
  evaluationDays: null,
  idempotencyDays: null,
}

const record = async (workspace: TestWorkspace, fields: object = {}): Promise<string> => {
  const { trace } = await workspace.ok(operations.monitor.trace, {
    logs: [{ id: 'g', type: 'generation', input: 'Hi', output: 'Hello' }],
    ...fields,
  })
  await workspace.ok(operations.scores.create, { traceId: trace.id, name: 'good', value: true })
  return trace.id
}

const isThere = async (workspace: TestWorkspace, id: string): Promise<boolean> =>
  (await workspace.call(operations.traces.get, { id })).status === 200

/** Lets days pass, and runs the nightly job of the last one. */
async function passDays(days: number): Promise<void> {
  await app.flush()
  offsetMs += days * dayMs
  await app.jobsDrained()
}

interface EvaluationFields {
  readonly id: string
  readonly key: string
  readonly payload: string
}

/** A trace that an evaluator has judged, sent with an Idempotency-Key. */
async function evaluateTrace(workspace: TestWorkspace): Promise<EvaluationFields> {
  await makeEvaluator(workspace)
  const payload = JSON.stringify({
    output: 'Sit, please.',
    evaluators: [{ slug: 'polite' }],
    evaluationConfig: { sampleRate: 1 },
  })
  const key = 'once'
  const { text } = await workspace.call(
    operations.monitor.trace,
    {},
    { payload, headers: { 'idempotency-key': key } },
  )
  const { id } = (JSON.parse(text) as { trace: { id: string } }).trace
  await eventually(async () => {
    const { evaluations } = await workspace.ok(operations.evaluations.list, { traceId: id })
    assert.deepEqual(
      evaluations.map(({ status }) => status),
      ['done'],
    )
  })
  return { id, key, payload }
}

describe('retention.get', () => {
  it('200: keeps data forever until days are set', async () => {
    assert.deepEqual(await (await newWorkspace()).ok(get), nothing)
  })
})

describe('retention.update', () => {
  it('200: changes only the given rules, of this workspace only', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const features = [{ featureSlug: 'chat', days: 7 }]
    assert.deepEqual(await workspace.ok(update, { days: 30, features }), { ...nothing, days: 30, features })
    assert.deepEqual(await workspace.ok(update, { days: null, fileDays: 3 }), {
      ...nothing,
      features,
      fileDays: 3,
    })
    assert.deepEqual(await workspace.ok(get), { ...nothing, features, fileDays: 3 })
    assert.deepEqual(await other.ok(get), nothing)
  })

  it('200: deletes traces by their feature every night, and keeps the sums', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    for (const slug of ['chat', 'kept']) await makeFeature(workspace, { slug, name: slug })
    await workspace.ok(update, {
      days: 20,
      features: [
        { featureSlug: 'chat', days: 2 },
        { featureSlug: 'kept', days: null },
      ],
    })
    const chat = await record(workspace, { featureSlug: 'chat' })
    const remaining = await record(workspace, { featureSlug: 'kept' })
    const plain = await record(workspace)
    const theirs = await record(other)
    await passDays(4)
    const readAfter = async () => Promise.all([chat, plain, remaining].map((id) => isThere(workspace, id)))
    assert.deepEqual(await readAfter(), [false, true, true])
    const { scores } = await workspace.ok(operations.scores.list, { traceId: chat })
    assert.deepEqual(scores, [])
    await passDays(20)
    assert.deepEqual(await readAfter(), [false, false, true])
    assert.ok(await isThere(other, theirs))
    const { rows } = await workspace.ok(operations.metrics.query, { measures: 'traces' })
    assert.deepEqual(rows, [{ traces: 3 }])
  })

  it('200: deletes traces by their environment, unless their feature has a rule', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await workspace.ok(update, {
      days: 20,
      features: [{ featureSlug: 'chat', days: 30 }],
      environments: [
        { environment: 'staging', days: 2 },
        { environment: 'audited', days: null },
      ],
    })
    const ids = [
      await record(workspace, { environment: 'staging' }),
      await record(workspace, { environment: 'staging', featureSlug: 'chat' }),
      await record(workspace, { environment: 'production' }),
      await record(workspace, { environment: 'audited' }),
      await record(workspace),
    ]
    const readAfter = async () => Promise.all(ids.map((id) => isThere(workspace, id)))
    await passDays(4)
    assert.deepEqual(await readAfter(), [false, true, true, true, true])
    await passDays(20)
    assert.deepEqual(await readAfter(), [false, true, false, true, false])
    await passDays(10)
    assert.deepEqual(await readAfter(), [false, false, false, true, false])
  })

  it('200: deletes records of finished evaluations and of requests with an Idempotency-Key, and keeps scores', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await workspace.ok(update, { evaluationDays: 2, idempotencyDays: 3 })
    const [mine, theirs] = [await evaluateTrace(workspace), await evaluateTrace(other)]
    const readEvaluations = async (which: TestWorkspace, { id, payload, key }: EvaluationFields) => {
      const { evaluations } = await which.ok(operations.evaluations.list, { traceId: id })
      const { text } = await which.call(
        operations.monitor.trace,
        {},
        { payload, headers: { 'idempotency-key': key } },
      )
      return {
        evaluations: evaluations.length,
        isSame: (JSON.parse(text) as { trace: { id: string } }).trace.id === id,
      }
    }
    assert.deepEqual(await readEvaluations(workspace, mine), { evaluations: 1, isSame: true })
    await passDays(2.5)
    assert.deepEqual(await readEvaluations(workspace, mine), { evaluations: 0, isSame: true })
    assert.deepEqual(await readEvaluations(other, theirs), { evaluations: 1, isSame: false })
    await passDays(1)
    assert.equal((await readEvaluations(workspace, mine)).isSame, false)
    assert.equal((await workspace.ok(operations.scores.list, { traceId: mine.id })).scores.length, 1)
  })

  it('200: deletes samples of rejected records, and files that no row refers to (H2)', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(update, { ledgerSampleDays: 1, fileDays: 1 })
    await workspace.call(operations.monitor.trace, {}, { payload: '{"name":5}' })
    const [unused, used] = [await makeFile(workspace, send), await makeFile(workspace, send)]
    await makeDataset(workspace, { columns: [{ name: 'file', type: 'file' }] })
    await workspace.ok(operations.datasets.add, { slug: 'cases', values: { file: used } })
    const from = new Date(Date.now() + offsetMs - dayMs).toISOString()
    const samples = async () => {
      const { entries } = await workspace.ok(operations.ledger.list, { from })
      return entries.flatMap(({ reasons }) => reasons.map(({ lastSample }) => lastSample))
    }
    assert.deepEqual(await samples(), ['{"name":5}'])
    await passDays(3)
    assert.deepEqual(await samples(), [''])
    await workspace.refused(operations.files.get, { fileKey: unused }, 404)
    assert.equal((await workspace.call(operations.files.get, { fileKey: used })).status, 200)
  })

  it('400: names the invalid rule', async () => {
    const workspace = await newWorkspace()
    const twice = [
      { featureSlug: 'a', days: 1 },
      { featureSlug: 'a', days: 2 },
    ]
    for (const operation of [update, preview]) {
      for (const days of [0, -1, 1.5, '30'])
        assert.match(await workspace.refused(operation, { days }, 400), /^days: /)
      for (const field of ['fileDays', 'evaluationDays', 'idempotencyDays'])
        assert.match(await workspace.refused(operation, { [field]: 0 }, 400), new RegExp(`^${field}: `))
      const environments = [
        { environment: 'a', days: 1 },
        { environment: 'a', days: null },
      ]
      assert.match(
        await workspace.refused(operation, { environments }, 400),
        /^environments\[1\]\.environment: /,
      )
      assert.match(
        await workspace.refused(operation, { features: twice }, 400),
        /^features\[1\]\.featureSlug: /,
      )
    }
  })
})

describe('retention.preview', () => {
  it('200: counts what a change would delete, by age, and deletes nothing', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const id = await record(workspace, { featureSlug: 'chat' })
    await record(workspace)
    await passDays(10)
    await record(workspace)
    await app.flush()
    const { ages, ...counts } = await workspace.ok(preview, { days: 5 })
    const none = { ledgerSamples: 0, files: 0, evaluations: 0, idempotentRequests: 0 }
    assert.deepEqual(counts, { traces: 2, logs: 2, scores: 2, ...none })
    assert.deepEqual(ages.slice(0, 3), [
      { olderThanDays: 1, traces: 2, ...none },
      { olderThanDays: 7, traces: 2, ...none },
      { olderThanDays: 30, traces: 0, ...none },
    ])
    const features = [{ featureSlug: 'chat', days: 3 }]
    assert.equal((await workspace.ok(preview, { features })).traces, 1)
    assert.deepEqual(await workspace.ok(get), nothing)
    assert.ok(await isThere(workspace, id))
  })
})

describe('retention.preview of records', () => {
  it('200: counts samples, files, evaluations and requests by age', async () => {
    const workspace = await newWorkspace()
    await evaluateTrace(workspace)
    await workspace.call(operations.monitor.trace, {}, { payload: '{"name":5}' })
    await makeFile(workspace, send)
    await workspace.ok(update, { evaluationDays: 30, idempotencyDays: 30 })
    await passDays(10)
    const change = { ledgerSampleDays: 9, fileDays: 9, evaluationDays: 9, idempotencyDays: 9 }
    const { ages, ...counts } = await workspace.ok(preview, change)
    const countsOfOne = { ledgerSamples: 1, files: 1, evaluations: 1, idempotentRequests: 1 }
    assert.deepEqual(counts, { traces: 0, logs: 0, scores: 0, ...countsOfOne })
    assert.deepEqual(ages[1], { olderThanDays: 7, traces: 1, ...countsOfOne })
    assert.deepEqual(ages[2]?.evaluations, 0)
    assert.equal((await workspace.ok(preview, { evaluationDays: 11 })).evaluations, 0)
  })
})
