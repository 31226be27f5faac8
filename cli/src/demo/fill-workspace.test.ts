import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { startService } from '../../../sdk/src/testing.ts'
import { makeShell } from '../testing.ts'
import { connect } from './client.ts'
import { runExperiment } from './experiment-run.ts'
import { type FillResult, fillWorkspace } from './fill-workspace.ts'
import { readFixtureTraces } from './fixture-traces.ts'

const { url, workspace } = await startService()
const client = connect({ url, key: workspace.key.secret })
const traceCount = 60

describe('the demo of an empty workspace', () => {
  let filled: FillResult
  const fill = () =>
    fillWorkspace({
      local: { readFixtureTraces, runExperiment },
      client,
      connectAs: (key) => connect({ url, key }),
      seed: 1,
      traces: traceCount,
      days: 30,
      now: new Date(),
      onTraces: () => () => {},
    })
  /** Metrics show new records a moment later. */
  const untilCounted = () =>
    eventually(async () => {
      const { rows } = await client.metrics.query({ measures: 'traces' })
      assert.deepEqual(rows, [{ traces: traceCount }])
    })

  before(async () => {
    filled = await fill()
    await untilCounted()
  })

  test('creates the requested number of traces, and the service warns only about the odd ones', async () => {
    assert.equal(filled.traces, traceCount)
    // The demo's evaluators add scores of their own.
    await eventually(async () => {
      const { scores } = await client.scores.list({ source: 'api', limit: 1000 })
      // So do the human annotators.
      assert.equal(scores.filter(({ evaluatorSlug }) => evaluatorSlug === null).length, filled.scores)
    })
    assert.deepEqual([...filled.warnings], [])
    assert.ok(filled.expectedWarnings > 0)
  })

  test('creates the setup of a workspace', async () => {
    const { features } = await client.features.list({})
    const { prompts } = await client.prompts.list({})
    const { datasets } = await client.datasets.list({})
    const { evaluators } = await client.evaluators.list({})
    const { experiments } = await client.experiments.list({})
    const { apiKeys } = await client.keys.list({})
    const { moves } = await client.prompts.history({ slug: 'support-answer' })
    assert.equal(features.length, 6)
    assert.equal(prompts.length, 13)
    assert.deepEqual([...new Set(prompts.map(({ status }) => status))].sort(), ['draft', 'live'])
    assert.equal(datasets.length, 5)
    assert.ok(evaluators.length >= 6)
    // Nothing waits or fails at the start: the demo's model judges only on request.
    const { waiting } = await client.evaluations.list({ evaluatorSlug: 'support-helpful' })
    assert.deepEqual(waiting, [])
    assert.ok(experiments.length >= 8)
    assert.equal((await client.alerts.list({})).alerts.length, 3)
    // A demo sends nothing.
    const { channels } = await client.channels.list({})
    assert.deepEqual(channels, [])
    assert.equal(apiKeys.filter(({ revokedAt }) => revokedAt !== undefined).length, 3)
    const { queues } = await client.annotationQueues.list({})
    assert.equal(queues.length, 1)
    await eventually(async () => {
      const { evaluators: agreements } = await client.annotationQueues.agreement({ id: queues[0]!.id })
      assert.ok(agreements[0]!.agreed.count > 0)
    })
    assert.equal(apiKeys.filter(({ expiresAt }) => expiresAt !== undefined).length, 1)
    assert.ok(moves.filter(({ tag }) => tag === 'production').length >= 4)
  })

  test('records every fixture, with its logs, in the last days', async () => {
    const { traces } = await client.traces.list({ name: 'ai.generateText' })
    const [trace] = traces
    assert.ok(trace !== undefined && trace.logCount === 3)
    assert.ok(Date.parse(trace.startTime) > Date.now() - 4 * 86_400_000)
  })

  test('keeps everything and adds nothing if it is run again', async () => {
    const again = await fill()
    assert.equal(again.traces, 0)
    assert.equal(again.keptTraces, traceCount)
    for (const [kind, { made }] of again.setupCounts) assert.equal(made, 0, kind)
    await untilCounted()
  })

  test('is a command that reports what it created and kept', async () => {
    const shell = makeShell(url, workspace.key.secret)
    const words = ['demo', '--traces', String(traceCount)]
    const done = await shell.json<{ keptTraces: number; traces: number }>(...words)
    assert.deepEqual([done.traces, done.keptTraces], [0, traceCount])
    const { stdout } = await shell(...words)
    assert.match(stdout, /features +0 made, 6 there already/)
    assert.match(stdout, /In the workspace now: 60 traces/)
    assert.equal((await shell('demo', '--traces', 'many')).status, 2)
  })
})
