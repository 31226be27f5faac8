import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choicesOf, problemOfNumber, readJudged } from './verdict-choices.ts'

const keysOf = (choices: ReturnType<typeof choicesOf>) =>
  choices?.map(({ label, keys }) => `${label} ${keys}`)

describe('the choices of an annotator', () => {
  it('are yes and no, with the keys y and n', () => {
    assert.deepEqual(keysOf(choicesOf({ type: 'boolean' })), ['Yes y', 'No n'])
  })

  it('are numbers with their own keys and meanings', () => {
    const points = [{ value: 5, label: 'as it is' }]
    const choices = choicesOf({ type: 'numeric', min: 1, max: 5, points })
    assert.deepEqual(keysOf(choices), ['1 1', '2 2', '3 3', '4 4', '5 5'])
    assert.equal(choices?.at(-1)?.hint, 'as it is')
    assert.equal(keysOf(choicesOf({ type: 'numeric', min: 0, max: 9 }))?.[0], '0 0')
  })

  it('number multi-digit values by position, without keys beyond nine', () => {
    const tenths = choicesOf({ type: 'numeric', min: 0, max: 1, step: 0.1 })
    assert.deepEqual(keysOf(tenths)?.slice(2, 4), ['0.2 3', '0.3 4'])
    assert.equal(tenths?.at(-1)?.keys, undefined)
    assert.deepEqual(keysOf(choicesOf({ type: 'numeric', min: -1, max: 1 })), ['-1 1', '0 2', '1 3'])
    assert.equal(choicesOf({ type: 'numeric', min: 0, max: 100 }), undefined)
  })

  it('are yes and no if the evaluator states no verdict', () => {
    assert.deepEqual(readJudged({ slug: 'a', name: 'A', config: {} }), {
      slug: 'a',
      name: 'A',
      rubric: '',
      verdict: { type: 'boolean' },
    })
  })
})

it('a typed number is an answer if it fits the bounds and steps', () => {
  const scale = { type: 'numeric', min: 10, max: 100 } as const
  for (const value of [10, 75, 100]) assert.equal(problemOfNumber(scale, value), undefined)
  for (const value of [7, 101, 10.5, Number.NaN])
    assert.match(problemOfNumber(scale, value) ?? '', /10 to 100/)
  const fine = { type: 'numeric', min: 0, max: 10, step: 0.1 } as const
  for (const value of [0.3, 2.7, 10]) assert.equal(problemOfNumber(fine, value), undefined)
  assert.match(problemOfNumber(fine, 2.75) ?? '', /steps of 0\.1/)
})
