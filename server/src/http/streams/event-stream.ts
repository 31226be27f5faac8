import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { EventStream } from '../../requests/responses.ts'
import { sendStream } from './send-stream.ts'

/** Sends events as they come, until the last of them or until the client is gone. */
export function sendEvents(reply: FastifyReply, { events }: EventStream, logger: Logger): FastifyReply {
  const disconnect = new AbortController()
  // Of the connection, not of the stream: a stream waits for its next event before it closes.
  reply.raw.once('close', () => disconnect.abort())
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
  return sendStream(
    reply,
    Readable.from(encodeEvents(events(disconnect.signal)), { objectMode: false }),
    logger,
  )
}

async function* encodeEvents(events: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`
}
