import assert from 'node:assert/strict'
import { it } from 'node:test'
import { table } from './table.ts'

it('a table of any length is aligned (M5)', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x'])
  const lines = table(['n', 'what'], rows).split('\n')
  assert.match(lines[0] ?? '', /^n {7}what/)
  assert.ok(lines.length >= 200_001)
})
