/**
 * The last resort for errors that nothing handled. An error of a request, or of a connection's stream, ends only that
 * request, since no other request shares its state. After any other error the state of the process is unknown, so the
 * service shuts down and lets its supervisor restart it; acknowledged records are in the spool.
 */
import type { Logger } from 'pino'
import { type RequestScope, requestScope } from './request-scope.ts'

interface UncaughtParts {
  readonly logger: Pick<Logger, 'fatal'>
  /** Shuts down gracefully, and then exits. */
  readonly stop: () => void
}

export function handleUncaught({ logger, stop }: UncaughtParts): void {
  const handle = (error: unknown): void => {
    const request = requestScope.getStore()
    const requestId = request?.requestId
    if (isOpen(request) || isOfStream(error)) {
      logger.fatal({ err: error, requestId }, 'unhandled error in a request; only this request is aborted')
      request?.fail(error)
      return
    }
    logger.fatal({ err: error, requestId }, 'unhandled error; the service shuts down')
    stop()
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

const isOpen = (request: RequestScope | undefined): boolean => request?.isOver === false

/** Error codes of zlib, streams and sockets: such a stream belongs to one connection, and shares no state. */
const streamCodes =
  /^(?:Z_|ERR__ERROR_|ERR_STREAM_|ERR_HTTP_|HPE_)|^(?:ECONNRESET|ECONNABORTED|EPIPE|ABORT_ERR|ERR_INVALID_STATE)$/

const isOfStream = (error: unknown): boolean =>
  error instanceof Error && streamCodes.test(String((error as NodeJS.ErrnoException).code ?? ''))
