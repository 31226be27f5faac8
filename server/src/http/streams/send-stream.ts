import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/**
 * Sends a stream. If it fails before its first byte, the response is that of any failed request. Later the connection is
 * cut, so that no client mistakes a part for the whole; only the log shows the cause.
 */
export function sendStream(
  reply: FastifyReply,
  stream: Readable,
  logger: Pick<Logger, 'error'>,
): FastifyReply {
  stream.once('error', (error) => {
    if (reply.raw.headersSent)
      logger.error(
        { requestId: reply.request.id, err: error },
        'a response was cut off because its source failed',
      )
  })
  return reply.send(stream)
}
