import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCursor, writeCursor } from './cursor.ts'

const traceId = '019b0000-0000-7000-8000-00000000000a'

describe('a cursor', () => {
  it('returns exactly the values that were written', () => {
    const key = ['é', traceId, 0, -(2 ** 53) + 1, -(2n ** 63n), null, 2n ** 64n - 1n] as const
    const types = ['text', 'uuid', 'index', 'integer', 'bigint', 'bigint or null', 'hash'] as const
    assert.deepEqual(readCursor('list', writeCursor('list', key), types), [...key])
  })

  it('is refused by name if it belongs to another list, or if a part has the wrong type', () => {
    const refuses = (cursor: string, types: Parameters<typeof readCursor>[2]): void =>
      assert.throws(
        () => readCursor('list', cursor, types),
        (error: Error) => error.message.includes('cursor'),
        Buffer.from(cursor, 'base64url').toString(),
      )
    refuses(writeCursor('another list', ['a']), ['text'])
    refuses(writeCursor('list', ['a', 'b']), ['text'])
    refuses(writeCursor('list', []), ['text'])
    refuses('no cursor', ['text'])
    refuses(Buffer.from('null').toString('base64url'), [])
    refuses(writeCursor('list', [1]), ['text'])
    refuses(writeCursor('list', [null]), ['text'])
    refuses(writeCursor('list', [`${traceId}'`]), ['uuid'])
    for (const part of ['1', 1.5, 2 ** 53]) refuses(writeCursor('list', [part]), ['integer'])
    for (const part of [-1, 0.5, '0']) refuses(writeCursor('list', [part]), ['index'])
    for (const part of ['', '1.5', '0x1', 'a', 1, 2n ** 63n, null])
      refuses(writeCursor('list', [part]), ['bigint'])
    for (const part of [-1n, 2n ** 64n]) refuses(writeCursor('list', [part]), ['hash'])
  })
})
