/** Sends malformed requests from a thread of its own, so that the service has the other core. */
import { parentPort, workerData } from 'node:worker_threads'
import { seededRandom } from '../../src/statistics/seeded-random.ts'
import { type FuzzClass, type FuzzedRequest, Fuzzer, type FuzzParts } from './fuzzer.ts'
import { type KeepAlive, makeKeepAlive } from './keep-alive.ts'
import { wireOf } from './wire.ts'

export interface FuzzTask extends FuzzParts {
  readonly port: number
  readonly seed: number
  readonly requests: number
  readonly connections: number
  /** Paths whose responses are longer than a client reads. */
  readonly exports: readonly string[]
}

export interface FuzzReport {
  /** The first few responses that are not allowed. */
  readonly failures: readonly string[]
  readonly classes: Readonly<Partial<Record<FuzzClass | 'cut', number>>>
  readonly statuses: Readonly<Record<number, number>>
  readonly targets: Readonly<Record<string, number>>
  /** Connections that were closed without a response, which is allowed for illegal HTTP. */
  readonly closed: number
  readonly slowestMs: number
  readonly recordedIds: readonly string[]
}

const failuresMax = 5
const recordedMax = 300
/** Headers that delimit a request: after a wrong one, the connection cannot be used further. */
const framing = ['content-length', 'transfer-encoding', 'expect', 'host']
/** For this share of the requests for an export, only the beginning of the response is read. */
const cutPart = 0.01

// Safe: the test passes a task.
const task = workerData as FuzzTask
const random = seededRandom(task.seed)
const fuzzer = new Fuzzer(random, {
  ...task,
  // Buffers arrive from the other thread as plain arrays.
  routes: (task.routes ?? []).map((route) => ({ ...route, body: Buffer.from(route.body) })),
})
const counts = { classes: {} as Record<string, number>, statuses: {} as Record<number, number> }
const targets: Record<string, number> = {}
const failures: string[] = []
const recordedIds: string[] = []
let closed = 0
let slowestMs = 0
let requestCount = 0

const add = (counts: Record<string | number, number>, key: string | number): void => {
  counts[key] = (counts[key] ?? 0) + 1
}

/** The recorded trace of a success, or the problem with a response. */
function check(request: FuzzedRequest, status: number, text: string): void {
  add(counts.statuses, status)
  const fail = (): void => {
    if (failures.length >= failuresMax) return
    const payload = request.payload.toString('latin1').slice(0, 2000)
    failures.push(JSON.stringify({ ...request, payload, status, text: text.slice(0, 500) }))
  }
  // Only a backup may respond that the client should retry, while another backup is running.
  if (status >= 500 && !(status === 503 && request.target === '/backup')) fail()
  if (status >= 500 || request.method === 'HEAD') return
  try {
    if (status >= 400) {
      if (!hasSentence(request, text)) fail()
    } else if (request.target.startsWith('monitor.') && recordedIds.length < recordedMax) {
      const { trace } = JSON.parse(text) as { trace?: { id: string } }
      if (trace !== undefined) recordedIds.push(trace.id)
    }
  } catch {
    fail()
  }
}

/** Whether an error response has a message, in the form of the interface or of the protocol of its path. */
function hasSentence({ target, headers }: FuzzedRequest, text: string): boolean {
  // google.rpc.Status: its message is field 2, a text.
  const isStatus = text.charCodeAt(0) === 0x12 && text.length > 2
  if (headers['content-type'] === 'application/x-protobuf' && isStatus) return true
  const { error } = JSON.parse(text) as { error: unknown }
  if (typeof error === 'string') return error !== ''
  const message = (error as { readonly message?: unknown } | undefined)?.message
  return target === '/mcp' && typeof message === 'string' && message !== ''
}

async function sendSome(connection: KeepAlive): Promise<void> {
  while (requestCount < task.requests) {
    requestCount += 1
    if (random() < cutPart) {
      const url = task.exports[Math.floor(random() * task.exports.length)]!
      const headers = { authorization: task.authorization }
      const wire = wireOf({ method: 'GET', url, headers, payload: Buffer.alloc(0) }, 'close')
      await connection.cut(wire, 1 + Math.floor(random() ** 3 * 200_000))
      add(counts.classes, 'cut')
      continue
    }
    const request = fuzzer.next()
    const isBroken = framing.some((name) => name in request.headers)
    const startedAtMs = performance.now()
    const wire = wireOf(request, isBroken ? 'close' : 'keep-alive')
    const response = isBroken
      ? await sendAlone(wire, request)
      : await connection.send(wire, isHeadOf(request))
    slowestMs = Math.max(slowestMs, performance.now() - startedAtMs)
    add(counts.classes, request.class)
    add(targets, request.target)
    if (response === undefined) closed += 1
    else check(request, response.status, response.text)
  }
}

const isHeadOf = ({ method }: FuzzedRequest): boolean => method === 'HEAD'

async function sendAlone(wire: Buffer, request: FuzzedRequest) {
  const connection = makeKeepAlive(task.port, { endsAfterSending: true })
  try {
    return await connection.send(wire, isHeadOf(request))
  } finally {
    connection.close()
  }
}

const connections = Array.from({ length: task.connections }, () => makeKeepAlive(task.port))
await Promise.all(connections.map(sendSome))
for (const connection of connections) connection.close()
const report: FuzzReport = { failures, ...counts, targets, closed, slowestMs, recordedIds }
parentPort?.postMessage(report)
