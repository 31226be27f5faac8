import assert from 'node:assert/strict'
import { it } from 'node:test'
import { encodeEvents } from './event-stream.ts'

it('a stream without events sends comments, so that no proxy considers it dead', async () => {
  const first = Promise.withResolvers<object>()
  const events = async function* () {
    yield await first.promise
    yield { type: 'done' }
  }
  const pieces = encodeEvents(events(), 1)
  for (let index = 0; index < 3; index++) assert.equal((await pieces.next()).value, ':\n\n')
  first.resolve({ type: 'text' })
  const rest = []
  for await (const piece of pieces) if (piece !== ':\n\n') rest.push(piece)
  assert.deepEqual(rest, ['data: {"type":"text"}\n\n', 'data: {"type":"done"}\n\n'])
})

it('a stream that fails during a comment fails its reader, once', async () => {
  const first = Promise.withResolvers<object>()
  const events = async function* () {
    yield await first.promise
  }
  const pieces = encodeEvents(events(), 1)
  await pieces.next()
  first.reject(new Error('away'))
  await assert.rejects(async () => {
    for await (const piece of pieces) assert.equal(piece, ':\n\n')
  }, /away/)
})

it('a stream whose reader leaves while nothing happens closes its source', async () => {
  const source = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const events = async function* () {
    try {
      await source.promise
      yield {}
    } finally {
      end.resolve()
    }
  }
  const pieces = encodeEvents(events(), 1)
  await pieces.next()
  const closing = pieces.return(undefined)
  source.reject(new Error('the reader is gone'))
  await Promise.all([closing, end.promise])
})
