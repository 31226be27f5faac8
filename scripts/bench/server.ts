/**
 * A server of the benchmark, as a separate process: `service` (with a folder), `fleeting` (the same without
 * durability), `bare-post` (the minimum for any server in Node: accept and parse a body), `bare-get` (serves the bytes
 * of another server's response), or `bare-otlp` (decodes and drops an export).
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

/** Figures since the previous message. */
export interface ServerFigures {
  readonly port: number
  /** The port for OpenTelemetry over gRPC; 0 if there is none. */
  readonly grpcPort: number
  /** The port of the bare server with the service's own gRPC server; 0 for others. */
  readonly ownGrpcPort: number
  /** CPU of the whole process, and of the thread that serves requests. */
  readonly cpuSeconds: number
  readonly mainCpuSeconds: number
  readonly wallSeconds: number
  readonly loopDelayP99Ms: number
  readonly loopDelayMaxMs: number
  readonly rssBytes: number
  /** Scavenges of the main thread. */
  readonly scavengesMs: readonly number[]
  /** Growth of the old generation; negative after a full collection. */
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
  // As in main.ts.
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

/** Keeps idle connections as long as the service does; the default is shorter than a round. */
const keepAlive = { keepAliveTimeout: 75_000 }

/** Collects and parses the body, and responds with as many bytes as the service. */
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

/** Responds with the bytes and headers of another server's response. */
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
    // The monitor includes its own interval.
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
