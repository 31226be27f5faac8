import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filterInput } from './filter-input.ts'
import { clausesOfInput } from './filter-of-input.ts'
import { readFilter, writeFilter } from './filter-text.ts'

it('a filter that became the input of an operation reads as it was typed', () => {
  for (const text of [
    '',
    'feature:chat',
    'feature:chat model:a,b -release:2.0',
    'hasError:true metadata.env:prod',
    'user:Keira',
    'session:* -user:*',
    'cost>=0.01 duration<=2s',
    'score.accuracy:true',
  ])
    assert.equal(writeFilter(clausesOfInput(filterInput(readFilter(text)))), text)
})

it('bounds by their own parameters are read too, and what is no filter says nothing', () => {
  assert.equal(writeFilter(clausesOfInput({ minCost: 0.5, maxDurationMs: 100 })), 'cost>=0.5 duration<=100ms')
  assert.deepEqual(clausesOfInput({ where: '{', unheard: 1, featureSlug: undefined }), [])
})
