/** Limits on what a gRPC client may hold open: connections cost memory, and a stalled call keeps its message in memory. */
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Logger } from 'pino'
import { grpcStatus, StatusError } from './grpc-status.ts'

export interface GrpcLimits {
  /** Per address that the server listens on. */
  readonly connectionsMax: number
  /** A connection without a first call is closed after this time. */
  readonly firstCallMs?: number
  /** A connection is closed this long after its last call. Exporters send every few seconds, and reconnect by themselves. */
  readonly idleMs?: number
  /** A call is ended if no more of it arrives for this time. */
  readonly stalledMs?: number
}

export function limitSessions(
  server: Http2Server,
  { connectionsMax, firstCallMs = 20_000, idleMs = 300_000 }: GrpcLimits,
  logger: Logger,
): void {
  server.maxConnections = connectionsMax
  server.on('drop', () =>
    logger.warn({ connectionsMax }, 'a connection to OTLP/gRPC was refused: too many are open'),
  )
  server.on('session', (session: ServerHttp2Session) => {
    let calls = 0
    let hasHadCalls = false
    // Closing is graceful, since the client may have just begun a call.
    const end = (): void => (hasHadCalls ? session.close() : session.destroy())
    session.setTimeout(firstCallMs, end)
    session.on('stream', (stream: ServerHttp2Stream) => {
      calls++
      hasHadCalls = true
      session.setTimeout(0, end)
      stream.once('close', () => {
        calls--
        if (calls === 0 && !session.closed) session.setTimeout(idleMs, end)
      })
    })
  })
}

/** Ends a call whose message stalls; the time that the service takes to process it does not count. */
export function limitStall(
  stream: ServerHttp2Stream,
  { stalledMs = 30_000 }: GrpcLimits,
  fail: (error: StatusError) => void,
): void {
  const end = (): void =>
    fail(new StatusError(grpcStatus.deadlineExceeded, 'The message did not arrive in time.'))
  stream.setTimeout(stalledMs, end)
  stream.once('end', () => stream.setTimeout(0, end))
}
