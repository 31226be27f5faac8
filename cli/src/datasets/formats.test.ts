import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { linearGrowthMax } from '../../../server/testing/growth.ts'
import { readLines } from './formats.ts'

async function* piecesOf(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

it('yields the lines of the text in any pieces, without empty ones', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n') })), async (pieces) => {
      const lines = pieces.join('').split('\n')
      assert.deepEqual(
        await Array.fromAsync(readLines(piecesOf(pieces))),
        lines.filter((line) => line.trim() !== ''),
      )
    }),
  ))

it('a line of sixteen times the length takes about sixteen times as long', async () => {
  /** The shortest of three attempts, since the process may be busy with something else. */
  const measure = async (length: number): Promise<number> => {
    const pieces = Array.from({ length: length / 2 ** 16 }, () => 'x'.repeat(2 ** 16))
    const times: number[] = []
    while (times.length < 3) {
      const start = process.cpuUsage()
      const [line] = await Array.fromAsync(readLines(piecesOf(pieces)))
      assert.equal(line?.length, length)
      const { user, system } = process.cpuUsage(start)
      times.push(user + system)
    }
    return Math.min(...times)
  }
  const [short, long] = [await measure(2 ** 20), await measure(2 ** 24)]
  assert.ok(long / Math.max(short, 1000) < linearGrowthMax, `${short} and ${long} microseconds`)
})
