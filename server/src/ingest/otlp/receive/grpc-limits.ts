/** What a client of gRPC may hold open: connections cost memory, and a call that does not go on costs its message. */
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Logger } from 'pino'
import { grpcStatus, StatusError } from './grpc-status.ts'

export interface GrpcLimits {
  /** Of each address that is listened on. */
  readonly connectionsMax: number
  /** A connection without a first call is closed after so long. */
  readonly firstCallMs?: number
  /** A connection without a call since. Exporters send each few seconds, and connect again by themselves. */
  readonly idleMs?: number
  /** A call of which nothing more arrives is ended after so long. */
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
    // Closing tells the client, which may just have begun a call.
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

/** Ends a call whose message stalls; what the service itself takes counts for nothing. */
export function limitStall(
  stream: ServerHttp2Stream,
  { stalledMs = 30_000 }: GrpcLimits,
  fail: (error: StatusError) => void,
): void {
  const end = (): void =>
    fail(new StatusError(grpcStatus.deadlineExceeded, 'The message did not come in time.'))
  stream.setTimeout(stalledMs, end)
  stream.once('end', () => stream.setTimeout(0, end))
}
