import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { EventStream } from '../../requests/responses.ts'
import { sendStream } from './send-stream.ts'

/** Proxies give up a response of which nothing comes, most of them after a minute, and a model may think for longer. */
const commentMs = 15_000

/** Sends events as they come, until the last of them or until the client is gone. */
export function sendEvents(reply: FastifyReply, { events }: EventStream, logger: Logger): FastifyReply {
  const disconnect = new AbortController()
  // Of the connection, not of the stream: a stream waits for its next event before it closes.
  reply.raw.once('close', () => disconnect.abort())
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
  const pieces = encodeEvents(events(disconnect.signal), commentMs)
  return sendStream(reply, Readable.from(pieces, { objectMode: false }), logger)
}

/** Events as they go over the wire, and a comment, which readers skip, wherever none comes for so long. */
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
    // Whoever stops reading at a comment leaves an event behind, which may fail.
    next.catch(() => {})
    await iterator.return?.()
  }
}

/** What a promise resolves with; undefined where that takes longer. */
async function awaitAtMost<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), timeoutMs)
  try {
    return await Promise.race([promise, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
