/** M4: the memory for one endless line is limited by the longest valid line. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import { lineBytesMaxOf, linesOf } from './lines.ts'

const mebibyte = 2 ** 20
const limits = { bundleBytesMax: 2 ** 40, fileBytesMax: 10 * mebibyte }

it('a line may be four times as long as a body, or contain the largest file', () => {
  assert.equal(lineBytesMaxOf(limits), 64 * mebibyte)
  assert.ok(lineBytesMaxOf({ fileBytesMax: 90 * mebibyte }) > 120 * mebibyte)
  assert.ok(lineBytesMaxOf({ fileBytesMax: 5 * 2 ** 30 }) < 2 ** 29)
})

it('an endless line is refused as soon as it is too long, and is read no further (M4)', async () => {
  const piece = Buffer.alloc(mebibyte, 'x')
  let pieces = 0
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('{}\n')
    for (;;) {
      pieces += 1
      yield piece
    }
  }
  await assert.rejects(
    Array.fromAsync(linesOf(endless(), limits), () => {}),
    (error: unknown) => error instanceof ServiceError && /^line 2: must not be longer/.test(error.message),
  )
  assert.equal(pieces, 65)
})

it('complete lines use no memory, however many there are, up to the maximum length of a bundle (M4)', async () => {
  async function* many(): AsyncGenerator<Buffer> {
    for (let index = 0; index < 200; index++) yield Buffer.from(`${'x'.repeat(500)}\n`)
  }
  assert.equal((await Array.fromAsync(linesOf(many(), limits))).length, 200)
  await assert.rejects(
    Array.fromAsync(linesOf(many(), { ...limits, bundleBytesMax: 50_000 })),
    /larger than 50000 bytes/,
  )
})
