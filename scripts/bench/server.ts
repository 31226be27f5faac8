/**
 * A server of the benchmark, as a process of its own: `service` (with a folder), `fleeting` (the same without
 * durability), `bare-post` (what any server in Node must at least do: take a body and parse it), `bare-get` (the bytes
 * of another server's answer), or `bare-otlp` (an export decoded and dropped).
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import { pino } from 'pino'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { makeTimer } from '../../server/src/jobs/timer.ts'
import { lockDataDir } from '../../server/src/process/data/data-folder.ts'
import { setEngineFlags } from '../../server/src/process/engine-flags.ts'
import { idleCheckMs, makeIdleCollection } from '../../server/src/process/idle-memory.ts'
import { startBareOtlp } from './bare-otlp.ts'
import { apiKey } from './metrics.ts'

/** Since the question before. */
export interface ServerFigures {
  readonly port: number
  /** Of OpenTelemetry over gRPC; 0 where there is none. */
  readonly grpcPort: number
  /** Of the bare server that takes exports as the service does; 0 for others. */
  readonly ownGrpcPort: number
  /** Of the whole process, and of the thread that answers requests. */
  readonly cpuSeconds: number
  readonly mainCpuSeconds: number
  readonly wallSeconds: number
  readonly loopDelayP99Ms: number
  readonly loopDelayMaxMs: number
  readonly rssBytes: number
  /** Of the main thread. */
  readonly scavengesMs: readonly number[]
  /** How much the old generation grew; less than nothing after a full collection. */
  readonly oldBytesGrown: number
}

interface Running {
  readonly port: number
  readonly grpcPort?: number
  readonly ownGrpcPort?: number
  close(): Promise<void>
}

async function startService(folder: string, isDurable: boolean): Promise<Running> {
  setEngineFlags()
  const config = readConfig({ PLUMBLINE_API_KEY: apiKey, PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0' })
  const logger = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }))
  const app = await createApp({ config, dataFolder: lockDataDir(folder).path, logger, isDurable })
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const grpcPort = await app.listenGrpc('127.0.0.1', 0)
  // As main.ts does.
  const idleMemory = makeTimer({
    ...{ name: 'idle memory', everyMs: idleCheckMs, logger },
    tick: makeIdleCollection(app.traceStore),
  })
  await idleMemory.start()
  return {
    port: Number(new URL(address).port),
    grpcPort,
    async close() {
      await idleMemory.stop()
      await app.close()
    },
  }
}

function startBare(server: Server): Promise<Running> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as AddressInfo).port, close: async () => void server.close() }),
    )
  })
}

/** An idle connection is kept as long as the service keeps it: the default is shorter than a round. */
const keepAlive = { keepAliveTimeout: 75_000 }

/** Collects the body, parses it, and answers as much as the service does. */
const barePost = (): Server =>
  createServer(keepAlive, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as { name: string }
      const answer = JSON.stringify({
        trace: { id: '0190b5a0-0000-7000-8000-000000000000', characters: body.name.length },
      })
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(answer),
      })
      response.end(answer)
    })
  })

/** Answers what another server answers, bytes and headers. */
async function bareGet(address: string): Promise<Server> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } })
  const payload = Buffer.from(await answer.arrayBuffer())
  const copiedHeaders = ['content-type', 'content-length', 'etag']
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => copiedHeaders.includes(name)))
  return createServer(keepAlive, (_request, response) => {
    response.writeHead(200, headers)
    response.end(payload)
  })
}

const [kind, argument = ''] = process.argv.slice(2)
const running =
  kind === 'bare-post'
    ? await startBare(barePost())
    : kind === 'bare-get'
      ? await startBare(await bareGet(argument))
      : kind === 'bare-otlp'
        ? await startBareOtlp()
        : await startService(argument, kind === 'service')

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let scavengesMs: number[] = []
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    // Safe: entries of this type have it.
    const { detail } = entry as typeof entry & { readonly detail: { readonly kind: number } }
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) scavengesMs.push(entry.duration)
  }
}).observe({ entryTypes: ['gc'] })
const oldBytes = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => (space_name.startsWith('new') ? sum : sum + space_used_size),
    0,
  )
let oldBytesBefore = oldBytes()
let cpuBefore = process.cpuUsage()
let mainCpuBefore = process.threadCpuUsage()
let lastReadAt = performance.now()

function readFigures(): ServerFigures {
  const { user, system } = process.cpuUsage(cpuBefore)
  const main = process.threadCpuUsage(mainCpuBefore)
  const result: ServerFigures = {
    port: running.port,
    grpcPort: running.grpcPort ?? 0,
    ownGrpcPort: running.ownGrpcPort ?? 0,
    cpuSeconds: (user + system) / 1e6,
    mainCpuSeconds: (main.user + main.system) / 1e6,
    wallSeconds: (performance.now() - lastReadAt) / 1000,
    // The monitor counts its own interval too.
    loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 5),
    loopDelayMaxMs: Math.max(0, delay.max / 1e6 - 5),
    rssBytes: process.memoryUsage.rss(),
    scavengesMs,
    oldBytesGrown: oldBytes() - oldBytesBefore,
  }
  delay.reset()
  scavengesMs = []
  oldBytesBefore = oldBytes()
  cpuBefore = process.cpuUsage()
  mainCpuBefore = process.threadCpuUsage()
  lastReadAt = performance.now()
  return result
}

process.on('message', () => process.send?.(readFigures()))
process.on('SIGTERM', () => void running.close().then(() => process.exit(0)))
process.send?.(readFigures())
