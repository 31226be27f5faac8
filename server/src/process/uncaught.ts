/**
 * The last line of defence: errors that nothing handled. One that came from a request, or from the stream of a
 * connection, ends that request: whatever state it held was its own. After any other nobody knows what state is left,
 * so the service stops in order and lets its supervisor start it anew; what was acknowledged is in the spool.
 */
import type { Logger } from 'pino'
import { type RequestScope, requestScope } from './request-scope.ts'

interface UncaughtParts {
  readonly logger: Pick<Logger, 'fatal'>
  /** Stops in order, and then ends the process. */
  readonly stop: () => void
}

export function handleUncaught({ logger, stop }: UncaughtParts): void {
  const handle = (error: unknown): void => {
    const request = requestScope.getStore()
    const requestId = request?.requestId
    if (isOpen(request) || isOfStream(error)) {
      logger.fatal({ err: error, requestId }, 'nothing handled an error of a request; only the request ends')
      request?.fail(error)
      return
    }
    logger.fatal({ err: error, requestId }, 'nothing handled an error; the service stops in order')
    stop()
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

const isOpen = (request: RequestScope | undefined): boolean => request?.isOver === false

/** Codes of zlib, of streams, and of sockets: such a stream belongs to one connection, and no state is shared with it. */
const streamCodes =
  /^(?:Z_|ERR__ERROR_|ERR_STREAM_|ERR_HTTP_|HPE_)|^(?:ECONNRESET|ECONNABORTED|EPIPE|ABORT_ERR|ERR_INVALID_STATE)$/

const isOfStream = (error: unknown): boolean =>
  error instanceof Error && streamCodes.test(String((error as NodeJS.ErrnoException).code ?? ''))
