/** PLUMBLINE_TEST_SAMPLING sets how many traces are recorded at each rate, such as 100000. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type OutputOf, operations } from '@plumbline/contract'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
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
import { isSampled } from '../../ingest/monitor/sample.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { sampling } = operations.evaluators
const count = Number(hostEnvironment.PLUMBLINE_TEST_SAMPLING ?? 400)
const atOnce = 50

/** Records many traces and returns their ids. */
async function recordMany(workspace: TestWorkspace, fields: object): Promise<string[]> {
  const ids: string[] = []
  const record = async (): Promise<void> => {
    while (ids.length < count) {
      const index = ids.push('') - 1
      ids[index] = (await workspace.ok(operations.monitor.trace, fields)).trace.id
    }
  }
  await Promise.all(Array.from({ length: atOnce }, record))
  return ids
}

const text = (key: string, value: string): object => ({ key, value: { stringValue: value } })
const flag = (key: string, value: boolean): object => ({ key, value: { boolValue: value } })

describe('evaluators.sampling', () => {
  it('200: the share of sampled traces is within the binomial interval of the rate', async (context) => {
    const workspace = await newWorkspace()
    for (const rate of [0, 0.01, 0.1, 0.5, 1]) {
      const slug = `at-${rate}`
      await makeEvaluator(workspace, { slug, sampleRate: rate })
      const ids = await recordMany(workspace, { output: 'Yes.', evaluators: [{ slug }] })
      await app.flush()
      const sampled = ids.filter((id) => isSampled(id, rate)).length
      const report = await eventually(async () => {
        const answer = await workspace.ok(sampling, { slug })
        assert.equal(answer.eligible, count)
        return answer
      })
      context.diagnostic(`at ${rate}, ${report.drawn} of ${report.eligible} were drawn`)
      assert.equal(report.drawn, sampled)
      const [group] = report.groups
      assert.deepEqual([group?.rate, group?.sampledBy], [rate, { type: 'evaluator', evaluatorSlug: slug }])
      // With the few traces of the default, one run in a thousand would be outside.
      if (count >= 100_000) assert.equal(group?.isAsExpected, true)
      assert.ok(group !== undefined && group.low <= group.share && group.share <= group.high)
      if (count <= 1000) {
        const { traces } = await workspace.ok(operations.traces.list, { sampled: true, limit: 1000 })
        const listed = new Set(traces.map(({ id }) => id))
        assert.deepEqual(
          ids.filter((id) => listed.has(id)),
          ids.filter((id) => isSampled(id, rate)),
        )
      }
    }
  })

  it('200: groups by the deciding rate, and counts references from logs too', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await makeExperiment(workspace)
    await makeEvaluator(workspace, { sampleRate: 0 })
    const polite = { evaluators: [{ slug: 'polite' }] }
    const traces = await Promise.all([
      recordTrace(workspace, polite),
      recordTrace(workspace, { ...polite, evaluationConfig: { sampleRate: 1 } }),
      recordTrace(workspace, { ...polite, featureSlug: 'chat', experiment: { id } }),
      recordTrace(workspace, { logs: [{ id: 'a', type: 'span', ...polite }] }),
      recordTrace(workspace, { evaluators: [{ slug: 'nobody' }] }),
      recordTrace(workspace),
    ])
    const polites = { type: 'evaluator', evaluatorSlug: 'polite' }
    assert.deepEqual(
      traces.map(({ trace: { sampledBy, sampleRate } }) => [sampledBy, sampleRate]),
      [
        [polites, 0],
        [{ type: 'trace', evaluatorSlug: null }, 1],
        [{ type: 'experiment', evaluatorSlug: null }, 1],
        [polites, 0],
        [{ type: 'default', evaluatorSlug: null }, 0.1],
        [null, null],
      ],
    )
    await app.flush()
    const report = await workspace.ok(sampling, { slug: 'polite' })
    assert.deepEqual([report.eligible, report.drawn], [4, 2])
    assert.deepEqual(
      report.groups
        .map(({ sampledBy, eligible, drawn: sampled }) => [sampledBy?.type, eligible, sampled])
        .toSorted(),
      [
        ['evaluator', 2, 0],
        ['experiment', 1, 1],
        ['trace', 1, 1],
      ],
    )
    const remaining = await workspace.ok(operations.traces.list, { sampled: false })
    // Traces that reference no existing evaluator are sampled by their id as well.
    const notDrawn = traces.filter(({ trace: { id, sampleRate } }) => !isSampled(id, sampleRate))
    assert.deepEqual(
      remaining.traces.map(({ id }) => id).toSorted(),
      notDrawn.map(({ trace: { id } }) => id).toSorted(),
    )
    assert.ok(notDrawn.length >= 3)
  })

  it('200: counts at its own rate if another evaluator of the trace has a higher one', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { slug: 'cheap', sampleRate: 1 })
    await makeEvaluator(workspace, { slug: 'dear', sampleRate: 0.4 })
    const names = { evaluators: [{ slug: 'cheap' }, { slug: 'dear' }] }
    const traces = await Promise.all(Array.from({ length: 30 }, () => recordTrace(workspace, names)))
    await app.flush()
    const report = await workspace.ok(sampling, { slug: 'dear' })
    assert.equal(report.drawn, traces.filter(({ id }) => isSampled(id, 0.4)).length)
    assert.equal(report.groups[0]?.rate, 0.4)
    assert.equal((await workspace.ok(sampling, { slug: 'cheap' })).drawn, 30)
  })

  it('200: keeps the sampling decision of an OpenTelemetry client, except for experiments', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await makeExperiment(workspace)
    await makeEvaluator(workspace, { sampleRate: 1 })
    const span = (seed: number, ...more: object[]) =>
      jsonSpan({
        traceId: idOf(seed, 16),
        spanId: idOf(seed, 8),
        attributes: [
          text('basalt.span.evaluators', '["polite"]'),
          flag('basalt.span.should_evaluate', false),
          ...more,
        ],
      })
    await postJson(testApp, workspace, jsonExport([span(1), span(2, text('basalt.experiment.id', id))]))
    const groups = await eventually(async () => {
      const report = await workspace.ok(sampling, { slug: 'polite', from: '1' })
      assert.equal(report.eligible, 2)
      return report.groups
    })
    const findGroup = (type: string): OutputOf<typeof sampling>['groups'][number] | undefined =>
      groups.find(({ sampledBy }) => sampledBy?.type === type)
    assert.deepEqual(
      [findGroup('client')?.drawn, findGroup('client')?.rate, findGroup('client')?.isAsExpected],
      [0, null, null],
    )
    assert.equal(findGroup('experiment')?.drawn, 1)
  })

  it('200: a sampled trace shows the decision', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { sampleRate: 1 })
    const { id } = await recordTrace(workspace, { output: 'Yes, please.', evaluators: [{ slug: 'polite' }] })
    const evaluations = await eventually(async () => {
      const response = await workspace.ok(operations.traces.get, { id })
      assert.equal(response.evaluations[0]?.status, 'done')
      return response.evaluations
    })
    assert.deepEqual(
      evaluations.map(({ evaluatorSlug, value, logId }) => [evaluatorSlug, value, logId]),
      [['polite', true, null]],
    )
  })

  it('400: for an invalid instant, and for a range that ends before it starts', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    assert.match(await workspace.refused(sampling, { slug: 'polite', from: 'soon' }, 400), /^from: /)
    const turned = { slug: 'polite', from: '2025-02-01', to: '2025-01-01' }
    const words = await workspace.refused(
      sampling,
      { ...turned, from: '2025-02-01T00:00:00Z', to: '2025-01-01T00:00:00Z' },
      400,
    )
    assert.match(words, /^from: must not be after to/)
  })

  it('404: for an evaluator that does not exist', async () => {
    await (await newWorkspace()).refused(sampling, { slug: 'polite' }, 404)
  })
})
