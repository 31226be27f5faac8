/**
 * The OpenTelemetry load generator, as a separate process: sends exports one after the other on each of several
 * connections.
 */
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { apiKey } from './metrics.ts'
import { makeExport, spansPerExport } from './otlp-bodies.ts'

export interface OtlpOrder {
  readonly protocol: 'grpc' | 'http'
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

export interface OtlpFigures {
  readonly spansPerSecond: number
  readonly exports: number
  readonly p50Ms: number
  readonly p99Ms: number
}

type Send = (bytes: Buffer) => Promise<void>

const authorization = `Bearer ${apiKey}`

function overHttp(port: number, connections: number): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send: Send = (bytes) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization,
        'content-type': 'application/x-protobuf',
        'content-length': bytes.length,
      }
      const clientRequest = request(
        { agent, port, method: 'POST', path: '/v1/traces', headers },
        (response) => {
          response
            .resume()
            .on('end', () =>
              response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
            )
        },
      )
      clientRequest.on('error', reject).end(bytes)
    })
  return { send, close: () => agent.destroy() }
}

function overGrpc(port: number, connections: number): { send: Send; close(): void } {
  const { Client, credentials, Metadata } = createRequire(
    new URL('../../server/src/main.ts', import.meta.url),
  )('@grpc/grpc-js') as typeof import('@grpc/grpc-js')
  const metadata = new Metadata()
  metadata.set('authorization', authorization)
  const clients = Array.from(
    { length: Math.min(connections, 4) },
    () =>
      new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }),
  )
  const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
  const same = (bytes: Buffer): Buffer => bytes
  let sentCount = 0
  const send: Send = (bytes) =>
    new Promise((resolve, reject) => {
      const client = clients[sentCount++ % clients.length]!
      client.makeUnaryRequest(path, same, same, bytes, metadata, (error) =>
        error ? reject(error) : resolve(),
      )
    })
  return { send, close: () => clients.forEach((client) => void client.close()) }
}

async function run({ protocol, port, connections, seconds }: OtlpOrder): Promise<OtlpFigures> {
  const { send, close } = (protocol === 'grpc' ? overGrpc : overHttp)(port, connections)
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const write = async (): Promise<void> => {
    const message = makeExport()
    for (let now = startedAt; now < endsAt; now = performance.now()) {
      const before = performance.now()
      await send(message.next())
      latenciesMs.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: connections }, write))
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  close()
  latenciesMs.sort((a, b) => a - b)
  return {
    spansPerSecond: (latenciesMs.length * spansPerExport) / elapsedSeconds,
    exports: latenciesMs.length,
    p50Ms: latenciesMs[Math.floor(latenciesMs.length * 0.5)] ?? Number.NaN,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
  }
}

process.on('message', (order: OtlpOrder) => {
  run(order).then(
    (figures) => process.send?.(figures),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({})
