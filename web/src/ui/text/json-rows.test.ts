import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findInJson, jsonRows } from './json-rows.ts'

const value = { messages: [{ role: 'user', 'tool-call': null }], empty: {} }

it('only expanded values have rows, each with a path that can be pasted into code', () => {
  const paths = (folds: readonly (readonly [string, boolean])[], depth = 1) =>
    jsonRows(value, new Map(folds), depth).map(({ path }) => path)
  assert.deepEqual(paths([]), ['', 'messages', 'empty'])
  assert.deepEqual(
    paths([
      ['messages', true],
      ['messages[0]', true],
    ]),
    ['', 'messages', 'messages[0]', 'messages[0].role', 'messages[0]["tool-call"]', 'empty'],
  )
  assert.deepEqual(paths([['', false]]), [''])
})

it('values nested deeper than the call stack are supported', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 50_000; depth += 1) deep = { deep }
  assert.equal(jsonRows(deep, new Map(), 3).length, 4)
})

it('a search finds keys and values, and expands their parents', () => {
  const { paths, folds } = findInJson(value, 'USER')
  assert.deepEqual(paths, ['messages[0].role'])
  assert.deepEqual([...folds.keys()], ['', 'messages', 'messages[0]'])
  assert.deepEqual(findInJson(value, 'tool').paths, ['messages[0]["tool-call"]'])
})
