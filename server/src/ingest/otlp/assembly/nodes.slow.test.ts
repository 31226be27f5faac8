/** Two nodes with a shared control store and trace store: spans of one trace that arrive at both become one trace. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { generationAttributes, idOf, jsonExport, jsonSpan } from '../../../../testing/otlp-export.ts'
import { startServer } from '../../../../testing/server-process.ts'

const apiKey = 'pl_nodes_test_key_0123456789'
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const rounds = 8
const traces = 5

test('spans of one trace that arrive at two nodes, one of which dies, become one complete trace', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const engine = await startHttpEngine(join(folder, 'engine'))
  const postgres = await emptyDatabase()
  assert.ok('url' in postgres.location)
  const settings = {
    DATABASE_URL: postgres.location.url,
    CLICKHOUSE_URL: engine.url,
  }
  const start = (name: string) => startServer(join(folder, name), apiKey, settings)
  const nodes = [start('one'), start('other')]
  context.after(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await engine.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const urls = await Promise.all(nodes.map(({ url }) => url))

  /** The root arrives last, so that every earlier export replaces the trace. */
  const send = async (url: string, trace: number, round: number): Promise<void> => {
    const index = rounds - 1 - round
    const span = jsonSpan({
      traceId: idOf(trace, 16),
      spanId: idOf(index, 8),
      ...(index === 0 ? {} : { parentSpanId: idOf(0, 8) }),
      name: index === 0 ? 'root' : `span ${index}`,
      attributes: index === 0 ? [] : generationAttributes(10, 1),
    })
    const answer = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers,
      body: JSON.stringify(jsonExport([span])),
    })
    assert.equal(answer.status, 200, await answer.text())
  }
  const get = async (path: string): Promise<unknown> => (await fetch(urls[1] + path, { headers })).json()

  for (let round = 0; round < rounds; round++) {
    const url = urls[round % 2]!
    // The first node dies with records in its spool, and drains them after its restart.
    if (round === rounds - 1) await nodes[0]!.stop('SIGKILL')
    for (let trace = 0; trace < traces; trace++)
      await send(round === rounds - 1 ? urls[1]! : url, trace, round)
    await pause(150)
  }
  const back = start('one')
  nodes.push(back)
  await back.url

  await eventually(async () => {
    for (let trace = 0; trace < traces; trace++) {
      const { trace: storedTrace } = (await get(`/monitor/traces/${idOf(trace, 16)}`)) as {
        trace: { name: string; logs: { id: string }[]; totals: { inputTokens: number } }
      }
      assert.equal(storedTrace.name, 'root')
      assert.equal(new Set(storedTrace.logs.map(({ id }) => id)).size, rounds)
      assert.equal(storedTrace.logs.length, rounds)
    }
    const { traces: listed } = (await get('/monitor/traces')) as { traces: unknown[] }
    assert.equal(listed.length, traces)
    for (const granularity of ['hour', 'minute']) {
      const { rows } = (await get(
        `/metrics/query?measures=traces,logs,inputTokens&granularity=${granularity}`,
      )) as {
        rows: Record<string, number>[]
      }
      assert.deepEqual(
        rows.map(({ traces: traceCount, logs, inputTokens }) => [traceCount, logs, inputTokens]),
        [[traces, traces * rounds, traces * (rounds - 1) * 10]],
        granularity,
      )
    }
  })
  assert.equal(await nodes[1]!.stop('SIGTERM'), 0)
})
