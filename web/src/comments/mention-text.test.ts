import assert from 'node:assert/strict'
import { it } from 'node:test'
import { completeMention, findMentioned, matchingPeople, typedMention } from './mention-text.ts'

const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Ada Lovelace' },
  { id: '3', name: 'Grace Hopper' },
]

it('a name is being typed after an @ that begins a word', () => {
  assert.deepEqual(typedMention('Look @gra', 9), { start: 5, query: 'gra' })
  assert.deepEqual(typedMention('@', 1), { start: 0, query: '' })
  assert.equal(typedMention('ada@example.com', 15), undefined)
  assert.equal(typedMention('@Ada\nnext', 9), undefined)
})

it('members match by the start of any of their names, until one is complete', () => {
  assert.deepEqual(
    matchingPeople(people, 'hop').map(({ id }) => id),
    ['3'],
  )
  assert.deepEqual(
    matchingPeople(people, 'ada').map(({ id }) => id),
    ['2'],
  )
  assert.deepEqual(matchingPeople(people, 'Grace Hopper '), [])
  assert.equal(matchingPeople(people, '').length, 3)
})

it('a chosen name replaces the typed text', () => {
  assert.deepEqual(completeMention('Look @gra please', 9, 'Grace Hopper'), {
    text: 'Look @Grace Hopper  please',
    caret: 19,
  })
})

it('a text mentions the longest matching name, and an e-mail address mentions nobody', () => {
  assert.deepEqual(findMentioned('@Ada Lovelace, see this', people), ['2'])
  assert.deepEqual(findMentioned('@Ada Lovelace and @Ada', people), ['2', '1'])
  assert.deepEqual(findMentioned('nobody here', people), [])
})

it('a name shared by two people mentions both', () => {
  const [ada] = people
  assert.deepEqual(findMentioned('@Ada Lovelace, @Ada', [...people, { id: '4', name: ada?.name ?? '' }]), [
    '2',
    '1',
    '4',
  ])
})
