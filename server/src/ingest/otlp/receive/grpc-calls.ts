/**
 * A server for unary gRPC calls on `node:http2`, with only the features that OpenTelemetry exporters need.
 *
 * It replaces @grpc/grpc-js because this is a hot path: that server costs the main thread a fifth of an export, through its
 * objects and events for each call and through a flow-control window of 64 KB that cannot be changed (docs/performance.md).
 * Tests use its client for calls and its server for comparison.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import type { LargeBodies } from '../../../requests/large-bodies.ts'
import { type GrpcLimits, limitSessions, limitStall } from './grpc-limits.ts'
import { acceptedEncodings, frameOf, MessageReader } from './grpc-message.ts'
import { grpcStatus, StatusError } from './grpc-status.ts'

/** Admits a call by its headers, before its message is read, or throws `StatusError`. */
export type Method = (headers: IncomingHttpHeaders) => Promise<Respond>

/** Responds to a message with another; throws `StatusError`. */
export type Respond = (message: Buffer) => Promise<Buffer>

interface CallParts extends GrpcLimits {
  /** Methods by path. */
  readonly methods: ReadonlyMap<string, Method>
  /** The limit after decompression. */
  readonly messageBytesMax: number
  readonly largeBodies: LargeBodies
}

interface ServerParts extends CallParts {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** How long calls in progress may take when the server closes. */
  readonly closeTimeoutMs: number
  readonly logger: Logger
}

export interface CallServer {
  readonly port: number
  /** Accepts no new calls and finishes the current ones. */
  close(): Promise<void>
}

/** With the default of 64 KB, an export waits for the server several times before it is sent. */
const windowBytes = 1024 * 1024
const settings = {
  initialWindowSize: windowBytes,
  /** Per connection; clients queue further calls. */
  maxConcurrentStreams: 100,
  /** The same limit as for HTTP. */
  maxHeaderListSize: 16 * 1024,
}

/** Listens on every address of the host; throws if there is none to listen on. */
export async function serveCalls({
  host,
  port,
  closeTimeoutMs,
  logger,
  ...parts
}: ServerParts): Promise<CallServer> {
  const sockets = new Set<Socket>()
  const servers: Http2Server[] = []
  const failures: unknown[] = []
  let boundPort = port
  for (const { address } of await lookup(host, { all: true })) {
    const server = makeServer(parts, sockets)
    limitSessions(server, parts, logger)
    try {
      server.listen(boundPort, address)
      await once(server, 'listening')
    } catch (error) {
      failures.push(error)
      continue
    }
    server.on('error', (error) => logger.error({ err: error }, 'OTLP/gRPC cannot accept a connection'))
    servers.push(server)
    // Safe: it listens on a port.
    boundPort = (server.address() as AddressInfo).port
  }
  if (servers.length === 0) throw failures[0]
  return {
    port: boundPort,
    async close() {
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closeTimeoutMs)
      // Sends GOAWAY on every connection, and waits for the calls in progress.
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      clearTimeout(timer)
    },
  }
}

function makeServer(parts: CallParts, sockets: Set<Socket>): Http2Server {
  const server = createServer({ settings })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('session', (session) => session.setLocalWindowSize(windowBytes))
  server.on('stream', (stream: ServerHttp2Stream, headers) => serveCall(stream, headers, parts))
  return server
}

function serveCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, parts: CallParts): void {
  // A broken stream needs no response, but without a listener its error would end the process.
  stream.on('error', () => {})
  if (!/^application\/grpc(?:\+proto)?(?:;|$)/.test(headers['content-type'] ?? '')) {
    stream.respond({ ':status': 415 }, { endStream: true })
    return
  }
  const path = headers[':path'] ?? ''
  const method = parts.methods.get(path)
  if (method === undefined) {
    sendFailure(stream, new StatusError(grpcStatus.unimplemented, `There is no method "${path}".`))
    return
  }
  const timeout = textOf(headers['grpc-timeout'])
  if (timeout !== undefined && !startDeadline(stream, timeout)) return
  method(headers).then(
    (respond) => readMessage(stream, headers, respond, parts),
    (error) => sendFailure(stream, error),
  )
}

/** Until this point, only as much of the message was read as the flow-control window allowed. */
function readMessage(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  respond: Respond,
  parts: CallParts,
): void {
  if (!isOpen(stream)) return
  limitStall(stream, parts, (error) => sendFailure(stream, error))
  const reader = new MessageReader(parts.messageBytesMax)
  stream.on('data', (chunk: Buffer) => {
    try {
      reader.add(chunk)
    } catch (error) {
      sendFailure(stream, error)
    }
  })
  stream.on('end', () => {
    if (!isOpen(stream)) return
    reader.finish(textOf(headers['grpc-encoding']), parts.largeBodies, respond).then(
      (response) => sendMessage(stream, response),
      (error) => sendFailure(stream, error),
    )
  })
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** False if the client has disconnected or the deadline has passed. */
const isOpen = (stream: ServerHttp2Stream): boolean =>
  !stream.destroyed && !stream.closed && !stream.headersSent

const responseHeaders = {
  ':status': 200,
  'content-type': 'application/grpc+proto',
  'grpc-accept-encoding': acceptedEncodings,
}

function sendMessage(stream: ServerHttp2Stream, message: Buffer): void {
  if (!isOpen(stream)) return
  stream.once('wantTrailers', sendOk)
  stream.respond(responseHeaders, { waitForTrailers: true })
  stream.end(frameOf(message))
}

function sendOk(this: ServerHttp2Stream): void {
  this.sendTrailers({ 'grpc-status': grpcStatus.ok })
}

/** Sends a status without a message. */
function sendFailure(stream: ServerHttp2Stream, error: unknown): void {
  if (!isOpen(stream)) return
  const { status, message, details } =
    error instanceof StatusError ? error : new StatusError(grpcStatus.unknown, 'The call failed.')
  stream.respond(
    {
      ...responseHeaders,
      'grpc-status': status,
      // `encodeURI` throws on half a surrogate pair.
      'grpc-message': encodeURI(message.toWellFormed()),
      ...(details === undefined ? {} : { 'grpc-status-details-bin': details.toString('base64') }),
    },
    { endStream: true },
  )
  // The client need not send the rest of the message.
  if (!stream.readableEnded) stream.close()
}

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
/** The longest delay that `setTimeout` supports. */
const timeoutMsMax = 2 ** 31 - 1

/** Ends the call when its time has passed, whatever its state; returns false if the timeout is invalid, and ends it now. */
function startDeadline(stream: ServerHttp2Stream, timeout: string): boolean {
  const [, count, unit = ''] = /^(\d+)([HMSmun])$/.exec(timeout) ?? []
  if (count === undefined) {
    sendFailure(
      stream,
      new StatusError(grpcStatus.internal, `grpc-timeout: "${timeout}" is not a timeout such as "10S".`),
    )
    return false
  }
  const timer = setTimeout(
    () =>
      sendFailure(
        stream,
        new StatusError(grpcStatus.deadlineExceeded, 'The deadline of the call has passed.'),
      ),
    Math.min(Number(count) * (unitMs[unit] ?? 0), timeoutMsMax),
  )
  stream.once('close', () => clearTimeout(timer))
  return true
}
