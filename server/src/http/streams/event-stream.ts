import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { EventStream } from '../../requests/responses.ts'
import { sendStream } from './send-stream.ts'

/** Proxies drop an idle response, most of them after a minute, and a model may think for longer. */
const commentMs = 15_000

/** Sends events as they come, until the last one or until the client disconnects. */
export function sendEvents(reply: FastifyReply, { events }: EventStream, logger: Logger): FastifyReply {
  const disconnect = new AbortController()
  // The connection's event, not the stream's: a stream waits for its next event before it closes.
  reply.raw.once('close', () => disconnect.abort())
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
  const pieces = encodeEvents(events(disconnect.signal), commentMs)
  return sendStream(reply, Readable.from(pieces, { objectMode: false }), logger)
}

/** Encodes events for the wire, and sends a comment, which clients ignore, after each interval without an event. */
export async function* encodeEvents(
  events: AsyncIterable<object>,
  commentMs: number,
): AsyncGenerator<string, void> {
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const result = await awaitAtMost(next, commentMs)
      if (result?.done === true) return
      if (result === undefined) yield ':\n\n'
      else {
        yield `data: ${JSON.stringify(result.value)}\n\n`
        next = iterator.next()
      }
    }
  } finally {
    // If the reader stops at a comment, the pending event is abandoned and may still fail.
    next.catch(() => {})
    await iterator.return?.()
  }
}

/** Resolves with the promise's value, or with undefined after the timeout. */
async function awaitAtMost<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), timeoutMs)
  try {
    return await Promise.race([promise, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
