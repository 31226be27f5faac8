import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { it } from 'node:test'
import { startProgress } from './progress.ts'

function linesOf(count: number, total: number | undefined): string[] {
  const lines: string[] = []
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, callback) => {
      lines.push(chunk.toString())
      callback()
    },
  })
  const progress = startProgress({ stderr }, 'traces', total)
  for (let index = 0; index < count; index++) progress.advance()
  progress.end()
  return lines
}

it('a log has a line for each tenth of a large total', () => {
  const lines = linesOf(200_000, 200_000)
  assert.equal(lines.length, 10)
  assert.equal(lines[0], '20,000 of 200,000 traces\n')
})

it('without a total, there is a line for each 10,000', () => {
  assert.deepEqual(linesOf(25_000, undefined), ['10,000 traces\n', '20,000 traces\n'])
})

it('short work has none', () => assert.deepEqual(linesOf(9_999, 9_999), []))
