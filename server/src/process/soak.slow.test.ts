/**
 * Hours of steady load, in short: with records and evaluations at a steady rate, memory, open files, parts of the trace
 * store and event loop delay stay flat. `PLUMBLINE_SOAK_MINUTES` and `PLUMBLINE_SOAK_RATE` (traces per second) make it as
 * long and as heavy as the machine allows; docs/operations.md has the figures.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { apiKey } from '../../testing/record-until-killed.ts'
import { startServer } from '../../testing/server-process.ts'

const minutes = Number(hostEnvironment.PLUMBLINE_SOAK_MINUTES ?? 1)
const tracesPerSecond = Number(hostEnvironment.PLUMBLINE_SOAK_RATE ?? 50)
const sampleCount = 12
const mebibyte = 2 ** 20
const filesGrowthMax = 100
const partsMax = 300
/** Shorter runs are still warming up. */
const isLong = minutes >= 10
const memoryGrowthMax = 250 * mebibyte

const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }

interface Sample {
  readonly memoryMiB: number
  readonly openFiles: number
  readonly parts: number
  readonly lagMs: number
  readonly waiting: number
  readonly ackMs: number
}

test(`memory, files and parts stay flat over ${minutes} minutes at ${tracesPerSecond} traces a second`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const server = startServer(folder, apiKey, { PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0' })
  t.after(async () => {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = await server.url
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    assert.ok(response.ok, text)
  }
  const get = async (path: string): Promise<unknown> => (await fetch(url + path, { headers })).json()
  await post('/evaluators', {
    slug: 'polite',
    name: 'Polite',
    kind: 'contains',
    config: { value: 'please' },
    sampleRate: 0.2,
  })

  let sentCount = 0
  let acksMs: number[] = []
  const record = async (): Promise<void> => {
    const number = sentCount++
    const text = `Question ${number}: ${'what a customer writes, '.repeat(40)}`
    const startedAt = performance.now()
    await post('/monitor/trace', {
      name: 'soak',
      input: text,
      output: number % 2 === 0 ? `${text} please` : text,
      user: { id: `user-${number % 1000}`, name: 'A customer' },
      evaluators: [{ slug: 'polite' }],
      logs: [
        { id: 'a', type: 'generation', input: text, output: text, metadata: { model: 'gpt-4o' } },
        { id: 'b', parentId: 'a', type: 'tool', input: { number }, output: [number] },
      ],
    })
    acksMs.push(performance.now() - startedAt)
  }
  const metrics = async (): Promise<Sample> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const value = (name: string) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1])
    const acks = acksMs.toSorted((first, second) => first - second)
    acksMs = []
    return {
      memoryMiB: Math.round(value('process_resident_memory_bytes') / mebibyte),
      openFiles: value('process_open_fds'),
      parts: value('plumbline_trace_store_parts'),
      lagMs: Math.round(value('nodejs_eventloop_lag_p99_seconds') * 1000),
      waiting: value('plumbline_spool_records'),
      ackMs: Math.round(acks[acks.length >> 1] ?? 0),
    }
  }

  const samples: Sample[] = []
  const startedAt = performance.now()
  const durationMs = minutes * 60_000
  const underWay = new Set<Promise<void>>()
  for (;;) {
    const elapsedMs = performance.now() - startedAt
    if (elapsedMs >= durationMs * ((samples.length + 1) / sampleCount)) {
      const sample = await metrics()
      samples.push(sample)
      t.diagnostic(`${((elapsedMs / 60_000) | 0) + 1} min: ${JSON.stringify(sample)}`)
      if (samples.length === sampleCount) break
    }
    // Catch up at once when late, as clients do.
    for (const due = (elapsedMs / 1000) * tracesPerSecond; sentCount < due && underWay.size < 200; ) {
      const request: Promise<void> = record().finally(() => underWay.delete(request))
      underWay.add(request)
    }
    await pause(10)
  }
  await Promise.all(underWay)
  await eventually(async () => {
    const { pending } = (await get('/monitor/ledger')) as { pending: number }
    assert.equal(pending, 0)
    const { rows } = (await get('/metrics/query?measures=traces')) as { rows: { traces: number }[] }
    assert.deepEqual(rows, [{ traces: sentCount }])
    const { counts } = (await get('/evaluations?limit=1')) as { counts: Record<string, number> }
    assert.deepEqual([counts.waiting ?? 0, counts.running ?? 0], [0, 0], JSON.stringify(counts))
  })
  t.diagnostic(`${sentCount} traces acknowledged and stored`)
  const [early, late] = [samples.slice(2, sampleCount / 2), samples.slice(-3)]
  const median = (part: readonly Sample[], field: keyof Sample): number =>
    part.map((sample) => sample[field]).toSorted((first, second) => first - second)[part.length >> 1]!
  assert.ok(median(late, 'openFiles') <= median(early, 'openFiles') + filesGrowthMax, 'files')
  assert.ok(median(late, 'parts') <= partsMax, 'parts')
  if (isLong)
    assert.ok(
      (median(late, 'memoryMiB') - median(early, 'memoryMiB')) * mebibyte <= memoryGrowthMax,
      'memory',
    )
  assert.equal(await server.stop('SIGTERM'), 0)
})
