/**
 * `npm run bench -- --scale N`: the cost of reading through the API with N/10 and with N logs. Compares the CPU of the
 * whole service per response, since wall times on a shared machine say little, and uses the minimum of several tries.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../child.ts'
import { apiKey, readMetrics } from '../metrics.ts'
import type { Figure } from '../print.ts'
import type { ServerFigures } from '../server.ts'
import { baseTraces, logsPerTrace, makeBaseTraces, rareTenant } from './base-traces.ts'
import { type QueryFacts, scaleQueries } from './queries.ts'
import { busySession, dayMs, userWithTraces } from './users.ts'

interface ScaleParts {
  readonly folder: string
  readonly logs: number
  readonly startServer: (kind: string, argument: string) => Promise<Child<object, ServerFigures>>
}

interface Cost {
  readonly cpuMs: number
  readonly tookMs: number
}

const tries = 5
/** The maximum cost ratio for ten times as many logs. */
const ratioMax = 3
/** So that both sizes return pages of the same length. */
const rareUserTraces = 40
/** Fraction of a core. */
const idleShare = 0.03
const idleWaitMsMax = 300_000
/** Below this a response is fast at any size, and the ratio of two such figures is noise. */
const cpuMsMin = 5

export async function measureScale({ folder, logs, startServer }: ScaleParts): Promise<Figure[]> {
  const data = join(folder, 'scale')
  const first = await startServer('service', data)
  await recordBase(first.ready.port)
  await first.stop()
  const [few, many] = [copiesFor(logs / 10), copiesFor(logs)]
  fill(data, 0, few)
  const before = await runQueries(data, startServer, (few + 1) * baseTraces)
  fill(data, few, many - few)
  const after = await runQueries(data, startServer, (many + 1) * baseTraces)
  return [...after].flatMap(([name, { cpuMs, tookMs }]): Figure[] => {
    const smaller = before.get(name)?.cpuMs ?? Number.NaN
    const ratio = Math.max(cpuMs, cpuMsMin) / Math.max(smaller, cpuMsMin)
    return [
      { name, value: cpuMs, unit: 'ms of CPU', target: undefined },
      { name: '  until the response', value: tookMs, unit: 'ms', target: undefined },
      { name: '  CPU / with a tenth of the logs', value: ratio, unit: '', target: { atMost: ratioMax } },
    ]
  })
}

/** Excludes the base itself. */
const copiesFor = (logs: number): number => Math.max(1, Math.round(logs / (baseTraces * logsPerTrace)) - 1)

async function recordBase(port: number): Promise<void> {
  for (const body of makeBaseTraces()) {
    const response = await fetch(`http://127.0.0.1:${port}/monitor/trace`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    })
    if (!response.ok) throw new Error(`A trace was answered with ${await response.text()}`)
    await response.arrayBuffer()
  }
  while ((await readMetrics(port)).spoolRecords > 0) await pause(50)
}

/** In a separate process, so that the engine's memory is released before measuring. */
function fill(data: string, first: number, count: number): void {
  const script = new URL('fill.ts', import.meta.url).pathname
  const { status } = spawnSync(
    process.execPath,
    [script, join(data, 'traces'), String(first), String(count)],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('The trace store could not be filled.')
}

async function runQueries(
  data: string,
  startServer: ScaleParts['startServer'],
  traces: number,
): Promise<ReadonlyMap<string, Cost>> {
  const server = await startServer('service', data)
  const { port } = server.ready
  await waitUntilIdle(server)
  const costs = new Map<string, Cost>()
  for (const { name, path } of scaleQueries(await readFacts(port, traces))) {
    const all: Cost[] = []
    for (let count = 0; count < tries; count++) {
      await server.ask({})
      const startedAt = performance.now()
      await read(port, path)
      const tookMs = performance.now() - startedAt
      all.push({ cpuMs: (await server.ask({})).cpuSeconds * 1000, tookMs })
    }
    costs.set(name, {
      cpuMs: Math.min(...all.map(({ cpuMs }) => cpuMs)),
      tookMs: Math.min(...all.map(({ tookMs }) => tookMs)),
    })
  }
  await server.stop()
  return costs
}

/** Otherwise merges of the new rows would be measured too. Merges of large parts take minutes. */
async function waitUntilIdle(server: Child<object, ServerFigures>): Promise<void> {
  const deadline = performance.now() + idleWaitMsMax
  await server.ask({})
  do {
    await pause(3000)
    const { cpuSeconds, wallSeconds } = await server.ask({})
    if (cpuSeconds / wallSeconds < idleShare) return
  } while (performance.now() < deadline)
}

async function readFacts(port: number, total: number): Promise<QueryFacts> {
  const to = new Date(Date.now() - 75 * dayMs).toISOString()
  const { traces, nextCursor } = (await read(port, `/monitor/traces?to=${to}&limit=10`)) as {
    readonly traces: readonly { readonly id: string; readonly inputPreview: string }[]
    readonly nextCursor: string
  }
  const [trace] = traces
  return {
    traceId: trace?.id ?? '',
    cursor: nextCursor,
    tenant: rareTenant(),
    rareWord: /case[0-9a-f]{16}/.exec(trace?.inputPreview ?? '')?.[0] ?? '',
    rareUser: `user-${userWithTraces(rareUserTraces, total)}`,
    session: busySession(40),
    monthAgo: new Date(Date.now() - 30 * dayMs).toISOString(),
  }
}

async function read(port: number, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}
