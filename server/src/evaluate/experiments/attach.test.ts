import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import {
  makeEvaluator,
  makeExperiment,
  makeFeature,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { attach, judging } = operations.experiments
const testApp = await startTestApp()
const { newWorkspace } = testApp

async function makeLaboratory(): Promise<{ workspace: TestWorkspace; id: string }> {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  await makeEvaluator(workspace, { sampleRate: 0 })
  const { id } = await makeExperiment(workspace)
  return { workspace, id }
}

const list = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(operations.traces.list, { experimentId: id })).traces.map((trace) => trace.id)

describe('experiments.attach', () => {
  it('200: a trace that joined is in lists, metrics and comparisons, and is judged by the evaluators that it references', async () => {
    const { workspace, id } = await makeLaboratory()
    const other = await makeExperiment(workspace, { name: 'Other' })
    const evaluators = [{ slug: 'polite' }]
    const traces = [
      await recordTrace(workspace, { input: 'a', output: 'please', evaluators }),
      await recordTrace(workspace, { input: 'b', output: 'now', evaluators }),
    ]
    const elsewhere = await recordTrace(workspace, { input: 'a', experiment: { id: other.id } })
    assert.equal(traces[0]?.trace.sampled, false)
    const traceIds = [...traces.map((trace) => trace.id), elsewhere.id]
    assert.deepEqual(await workspace.ok(attach, { id, traceIds }), {
      attached: 2,
      existing: 0,
      elsewhere: [elsewhere.id],
    })
    assert.deepEqual(await workspace.ok(attach, { id, traceIds: traceIds.slice(0, 2) }), {
      attached: 0,
      existing: 2,
      elsewhere: [],
    })
    assert.deepEqual(new Set(await list(workspace, id)), new Set(traceIds.slice(0, 2)))
    const { rows } = await workspace.ok(operations.metrics.query, {
      measures: 'traces',
      dimensions: 'experiment',
    })
    assert.equal(rows.find(({ experiment }) => experiment === id)?.traces, 2)
    await eventually(async () => {
      const standing = await workspace.ok(judging, { id })
      assert.deepEqual([standing.traces, standing.judged, standing.hasEnded], [2, 2, true])
    })
    const compared = await workspace.ok(operations.experiments.compare, { ids: `${id},${other.id}` })
    assert.equal(compared.caseCount, 2)
    assert.equal(compared.measures.find(({ name }) => name === 'score.polite')?.experiments[0]?.mean, 0.5)
    assert.deepEqual(
      compared.gaps.map(({ missing }) => missing),
      [0, 1],
    )
  })

  it('200: an OpenTelemetry trace that grows afterwards stays in the experiment', async () => {
    const { workspace, id } = await makeLaboratory()
    const send = (span: number, fields: object) =>
      postJson(
        testApp,
        workspace,
        jsonExport([jsonSpan({ traceId: idOf(7, 16), spanId: idOf(span, 8), ...fields })]),
      )
    await send(0, { name: 'root' })
    const traceId = await eventually(async () => {
      const { trace } = await workspace.ok(operations.traces.get, { id: idOf(7, 16) })
      return trace.id
    })
    assert.equal((await workspace.ok(attach, { id, traceIds: [traceId] })).attached, 1)
    await send(1, { name: 'late', parentSpanId: idOf(0, 8) })
    await eventually(async () => {
      const { trace } = await workspace.ok(operations.traces.get, { id: traceId })
      assert.deepEqual([trace.logs.length, trace.experiment], [2, { id }])
    })
    assert.deepEqual(await list(workspace, id), [traceId])
    await eventually(async () => {
      const { rows } = await workspace.ok(operations.metrics.query, {
        measures: 'traces,logs',
        dimensions: 'experiment',
        from: '2020-01-01T00:00:00Z',
      })
      const counted = rows.filter(({ traces }) => Number(traces) > 0)
      assert.deepEqual(counted, [{ experiment: id, traces: 1, logs: 2 }])
    })
  })

  it('404: for an experiment or a trace that does not exist, and then no trace has joined', async () => {
    const { workspace, id } = await makeLaboratory()
    const recorded = await recordTrace(workspace, { input: 'a' })
    const unknown = '019b0000-0000-7000-8000-000000000000'
    await workspace.refused(attach, { id: 'nobody', traceIds: [recorded.id] }, 404)
    await workspace.refused(attach, { id, traceIds: [recorded.id, unknown] }, 404)
    assert.deepEqual(await list(workspace, id), [])
  })

  it('400: no traces', async () => {
    const { workspace, id } = await makeLaboratory()
    assert.match(await workspace.refused(attach, { id, traceIds: [] }, 400), /^traceIds: /)
  })
})

describe('experiments.judging', () => {
  it('200: includes requested evaluations, but not those of `human` evaluators', async () => {
    const { workspace, id } = await makeLaboratory()
    await makeEvaluator(workspace, { slug: 'people', name: 'People', kind: 'human', config: {} })
    await recordTrace(workspace, {
      output: 'please',
      evaluators: [{ slug: 'polite' }, { slug: 'people' }],
      experiment: { id },
    })
    const standing = await eventually(async () => {
      const progress = await workspace.ok(judging, { id })
      assert.ok(progress.hasEnded)
      return progress
    })
    assert.deepEqual(standing, {
      traces: 1,
      underWay: 0,
      waiting: 0,
      judged: 1,
      failed: 0,
      hasEnded: true,
    })
  })

  it('404: for an experiment that does not exist', async () => {
    const { workspace } = await makeLaboratory()
    await workspace.refused(judging, { id: 'nobody' }, 404)
  })
})
