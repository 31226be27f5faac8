import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/**
 * Sends a stream. One that fails before its first byte is answered like every failed request; later the connection is
 * cut, so that no client takes a part for the whole, and only the log can tell why.
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
        'an answer was cut off, since its source failed',
      )
  })
  return reply.send(stream)
}
