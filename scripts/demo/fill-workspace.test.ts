import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Client, connect } from './client.ts'
import { type Filled, fillWorkspace } from './fill-workspace.ts'
import { openServer, type Target } from './target.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const environment = { PLUMBLINE_DATA_DIR: dataFolder, LOG_LEVEL: 'silent' }
const tracesWanted = 60

describe('the demo on an empty data folder', () => {
  let target: Target
  let client: Client
  let filled: Filled
  const fill = () =>
    fillWorkspace({
      client,
      seed: 1,
      traces: tracesWanted,
      days: 30,
      now: new Date(),
      onTraces: () => () => {},
    })

  before(async () => {
    target = await openServer(environment)
    client = connect(target)
    filled = await fill()
    await target.settle()
  })

  after(async () => {
    await target?.close()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  test('makes as many traces as were asked for, and the service warns of the odd ones only', async () => {
    assert.equal(filled.traces, tracesWanted)
    const { rows } = await client.metrics.query({ measures: 'traces,scores' })
    assert.deepEqual(rows, [{ traces: tracesWanted, scores: filled.scores }])
    assert.deepEqual([...filled.warnings], [])
    assert.ok(filled.expectedWarnings > 0)
  })

  test('makes what people would have set up', async () => {
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
    assert.ok(experiments.length >= 8)
    assert.equal(apiKeys.filter(({ revokedAt }) => revokedAt !== undefined).length, 1)
    assert.equal(apiKeys.filter(({ expiresAt }) => expiresAt !== undefined).length, 1)
    assert.ok(moves.filter(({ tag }) => tag === 'production').length >= 4)
  })

  test('records every fixture, with its logs, in the last days', async () => {
    const { traces } = await client.traces.list({ name: 'ai.generateText' })
    const [trace] = traces
    assert.ok(trace !== undefined && trace.logCount === 3)
    assert.ok(Date.parse(trace.startTime) > Date.now() - 4 * 86_400_000)
  })

  test('run again, keeps everything and adds nothing', async () => {
    const again = await fill()
    await target.settle()
    assert.equal(again.traces, 0)
    assert.equal(again.keptTraces, tracesWanted)
    for (const [kind, { made }] of again.made) assert.equal(made, 0, kind)
    const { rows } = await client.metrics.query({ measures: 'traces' })
    assert.deepEqual(rows, [{ traces: tracesWanted }])
  })

  test('a folder that a server holds is left alone, and the way through its API is told', async () => {
    await assert.rejects(openServer(environment), /in use by another process.*\n.*--url URL --key KEY/s)
  })
})
