import assert from 'node:assert/strict'
import { it } from 'node:test'
import { table } from './table.ts'

it('a table of any length is aligned (M5)', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x'])
  const lines = table(['n', 'what'], rows).split('\n')
  assert.match(lines[0] ?? '', /^n {7}what/)
  assert.ok(lines.length >= 200_001)
})

it('control characters in a cell become one space, so that they cannot break the row or reach the terminal', () => {
  assert.equal(table(['name', 'n'], [['a\n\u001b[2Jb', '1']]), 'name    n\na [2Jb  1')
})
