/** Repeated `kill -9` while spans arrive and traces are replaced: each trace must end up complete, and be stored once. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../../../fixtures/eventually.ts'
import {
  generationAttributes,
  idOf,
  type JsonSpan,
  jsonExport,
  jsonSpan,
} from '../../../../testing/otlp-export.ts'
import { type Running, startServer } from '../../../../testing/server-process.ts'
import { seededRandom } from '../../../statistics/seeded-random.ts'

const kills = 10
const writers = 6
const pauseMsMax = 120
const spansPerExport = 5
/** A trace is complete with this many spans; its root is among the last. */
const spansPerTrace = 60
const seed = 20_251_121
const apiKey = 'pl_crash_test_key_9876543210'
const firstNs = 1_760_000_000_000_000_000n

/** A trace that grows from its leaves to its root, export by export. */
interface Growing {
  readonly number: number
  /** Number of acknowledged spans. */
  acknowledged: number
}

const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }

/** Span 0 is the root and arrives last; all others are below it, directly or not. */
function spanOf(trace: number, number: number): JsonSpan {
  const index = spansPerTrace - 1 - number
  const startNs = firstNs + BigInt(trace) * 600_000_000_000n + BigInt(index) * 1_000_000n
  return jsonSpan({
    traceId: idOf(trace, 16),
    spanId: idOf(index, 8),
    ...(index === 0 ? {} : { parentSpanId: idOf((index - 1) >> 1, 8) }),
    name: index === 0 ? 'root' : `span ${index}`,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + 2_000_000n),
    ...(index >= spansPerTrace / 2 ? { attributes: generationAttributes(index, 1) } : {}),
    ...(index % 7 === 0 ? { status: { code: 2, message: 'failed' } } : {}),
  })
}

/** Resolves once the server is dead; the unacknowledged spans are sent to the next server again. */
async function growUntilGone(
  url: string,
  open: Growing[],
  all: Growing[],
  random: () => number,
): Promise<void> {
  const write = async (writer: number): Promise<void> => {
    for (;;) {
      let trace = open[writer]
      if (trace === undefined || trace.acknowledged === spansPerTrace) {
        trace = { number: all.length, acknowledged: 0 }
        open[writer] = trace
        all.push(trace)
      }
      const { number, acknowledged } = trace
      const spans = Array.from({ length: spansPerExport }, (_, index) => spanOf(number, acknowledged + index))
      let answer: Response
      try {
        answer = await fetch(`${url}/v1/traces`, {
          method: 'POST',
          headers,
          body: JSON.stringify(jsonExport(spans)),
        })
        assert.equal(await answer.text(), '{}')
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return
      }
      assert.equal(answer.status, 200)
      trace.acknowledged += spansPerExport
      await pause(random() * pauseMsMax)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
}

async function get<Answer>(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path, { headers })
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text) as Answer
}

type Row = Record<string, string | number | null>

/** Sums by hour from the roll-ups, and by minute from the tables. */
async function sums(url: string): Promise<{ rollUps: Row; tables: Row }> {
  const measures = ['traces', 'logs', 'errors', 'inputTokens', 'outputTokens', 'generations', 'cost']
  const ask = async (granularity: string): Promise<Row> => {
    const query = `measures=${measures.join(',')}&granularity=${granularity}`
    const { rows } = await get<{ rows: Row[] }>(url, `/metrics/query?${query}`)
    const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
    return Object.fromEntries(measures.map((name) => [name, Number(total(name).toPrecision(10))]))
  }
  return { rollUps: await ask('hour'), tables: await ask('minute') }
}

test('spans acknowledged before kill -9 are in their traces afterwards, once, over many kills', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  let running: Running | undefined
  context.after(async () => {
    await running?.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const random = seededRandom(seed)
  const all: Growing[] = []
  const open: Growing[] = []
  for (let kill = 0; kill < kills; kill++) {
    running = startServer(folder, apiKey)
    const growth = growUntilGone(await running.url, open, all, random)
    await pause(200 + random() * 1800)
    await running.stop('SIGKILL')
    await growth
  }
  running = startServer(folder, apiKey)
  const url = await running.url

  const check = async (): Promise<void> => {
    const { traces } = await get<{ traces: { id: string }[] }>(url, '/monitor/traces?limit=1000')
    const partial = all.filter(({ acknowledged }) => acknowledged > 0)
    // If the response to an export was lost, either all of its spans are stored or none.
    assert.ok(
      traces.length >= partial.length && traces.length <= all.length,
      `${traces.length} of ${partial.length}`,
    )
    let logs = 0
    for (const { number, acknowledged } of partial) {
      const { trace } = await get<{ trace: { logs: { id: string; name: string }[]; name: string } }>(
        url,
        `/monitor/traces/${idOf(number, 16)}`,
      )
      const ids = new Set(trace.logs.map(({ id }) => id))
      assert.equal(ids.size, trace.logs.length, 'a span is there twice')
      assert.ok(
        [acknowledged, acknowledged + spansPerExport].includes(ids.size),
        `trace ${number} has ${ids.size} of ${acknowledged} spans`,
      )
      if (acknowledged === spansPerTrace) assert.equal(trace.name, 'root')
      logs += ids.size
    }
    const { rollUps, tables } = await sums(url)
    assert.deepEqual(rollUps, tables)
    assert.equal(tables.traces, traces.length)
    assert.ok(Number(tables.logs) >= logs)
  }
  await eventually(check)
  const whole = all.filter(({ acknowledged }) => acknowledged === spansPerTrace).length
  const acknowledged = all.reduce((sum, trace) => sum + trace.acknowledged, 0)
  context.diagnostic(
    `acknowledged ${acknowledged} spans of ${all.length} traces in ${kills} kills; ${whole} were whole`,
  )
  assert.ok(whole > 3 && acknowledged > kills * 20, 'hardly anything was recorded')
  assert.equal(await running.stop('SIGTERM'), 0)
})
