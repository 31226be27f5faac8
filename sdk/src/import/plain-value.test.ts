import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plainValue } from './plain-value.ts'

it('a value of a Parquet file becomes JSON at every depth, and loses no digits', () => {
  const time = new Date('2026-01-02T03:04:05Z')
  assert.deepEqual(
    plainValue({
      id: 1785000000000000001n,
      count: 7n,
      turns: [{ at: time, tokens: [1n, 2n] }],
      vector: new Float32Array([0.5, 1]),
      bytes: new Uint8Array([104, 105]),
      none: null,
      text: 'x',
    }),
    {
      id: '1785000000000000001',
      count: 7,
      turns: [{ at: '2026-01-02T03:04:05.000Z', tokens: [1, 2] }],
      vector: [0.5, 1],
      bytes: 'aGk=',
      none: null,
      text: 'x',
    },
  )
  assert.equal(plainValue(new Date(Number.NaN)), null)
})
