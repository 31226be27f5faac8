/** What a client may keep open: connections cost memory, and a stalled request holds one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Logger } from 'pino'

/** Options of Node's server. */
export const timeLimits = {
  /** A header arrives in one piece, or nearly. */
  headersTimeout: 20_000,
  /** How often Node checks the timeouts. Its default of half a minute would extend every one of them. */
  connectionsCheckingInterval: 2_000,
} as const

/** A body that makes no progress for this long is given up, unless it is this service that does not read it. */
const stalledMs = 30_000
const sweepMs = 5_000

interface LimitParts {
  readonly connectionsMax: number
  readonly logger: Logger
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number
}

export interface ConnectionLimits {
  /** Ends requests whose body has stalled; runs every few seconds. */
  sweep(): void
}

export function limitConnections(
  server: Server,
  { connectionsMax, logger, clock = () => performance.now() }: LimitParts,
): ConnectionLimits {
  const arriving = new Map<IncomingMessage, { bytes: number; movedAtMs: number }>()
  server.maxConnections = connectionsMax
  server.on('drop', () => logger.warn({ connectionsMax }, 'a connection was refused: too many are open'))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    // If a body is rejected before it has arrived, the rest of it precedes the next request on the connection: discard it.
    response.once('finish', () => {
      // A reader that gave up may remove its listener only later, which would stop the flow without a listener of our own.
      if (!request.complete) request.removeAllListeners('readable').on('data', discard).resume()
    })
    // Most bodies arrive with their header.
    setImmediate(() => {
      if (request.complete || request.destroyed) return
      arriving.set(request, { bytes: request.socket.bytesRead, movedAtMs: clock() })
      request.once('close', () => arriving.delete(request))
    })
  })
  const sweep = (): void => {
    for (const [request, progress] of arriving) {
      if (request.complete) arriving.delete(request)
      else if (request.socket.bytesRead !== progress.bytes || request.isPaused()) {
        progress.bytes = request.socket.bytesRead
        progress.movedAtMs = clock()
      } else if (clock() - progress.movedAtMs >= stalledMs) {
        arriving.delete(request)
        request.socket.end(tooSlow, () => request.destroy())
      }
    }
  }
  const timer = setInterval(sweep, sweepMs).unref()
  server.once('close', () => clearInterval(timer))
  return { sweep }
}

/** As HTTP defines it; without a body a request is complete with its header. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const discard = (): void => {}

/** A complete HTTP response as text, for connections whose request never reaches the server. */
export function rawResponse(status: string, sentence: string): string {
  const body = JSON.stringify({ error: sentence })
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

export const tooSlow = rawResponse('408 Request Timeout', 'The request did not arrive in time.')
