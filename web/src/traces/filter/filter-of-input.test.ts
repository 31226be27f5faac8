import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filterInput } from './filter-input.ts'
import { clausesOfInput } from './filter-of-input.ts'
import { readFilter, writeFilter } from './filter-text.ts'

it('a filter converted to operation input is restored as typed', () => {
  for (const text of [
    '',
    'feature:chat',
    'feature:chat model:a,b -release:2.0',
    'hasError:true metadata.env:prod',
    'user:Keira',
    'user=keira organization=acme,"Paper & Co" -user:bob',
    'session:* -user:*',
    'cost>=0.01 duration<=2s',
    'score.accuracy:true',
    'refund late',
    'refund "exact words" *fund* refun*',
  ])
    assert.equal(writeFilter(clausesOfInput(filterInput(readFilter(text)))), text)
})

it('words and phrases of a search stay separate, and the result matches the same traces', () => {
  const queryOf = (q: string) => filterInput(clausesOfInput({ q })).q
  assert.equal(queryOf('refund "exact words" late'), 'refund "exact words" late')
  assert.equal(queryOf('foo-ba* a*b "no*star"'), 'foo ba* a b "no star"')
  assert.equal(queryOf(' "" * '), undefined)
})

it('an id stays an id, and a partial name stays one', () => {
  const where = [{ field: 'organization', is: ['acme'], named: ['Ac'] }]
  const text = writeFilter(clausesOfInput({ userId: 'ada', where: JSON.stringify(where) }))
  assert.equal(text, 'user=ada organization=acme organization:Ac')
})

it('bounds in their own parameters are read too, and invalid filters are ignored', () => {
  assert.equal(writeFilter(clausesOfInput({ minCost: 0.5, maxDurationMs: 100 })), 'cost>=0.5 duration<=100ms')
  assert.deepEqual(clausesOfInput({ where: '{', unheard: 1, featureSlug: undefined }), [])
})
