import assert from 'node:assert/strict'
import { it } from 'node:test'
import { answersOf, isComplete, nextOpen, scoresOf } from './answers.ts'
import { readJudged } from './verdict-choices.ts'

const questions = ['a', 'b', 'c'].map((slug) => readJudged({ slug, name: slug, config: {} }))

it('answers are complete once each question has one, including "no"', () => {
  assert.equal(isComplete(questions, { a: true, b: false }), false)
  assert.equal(isComplete(questions, { a: true, b: false, c: 0 }), true)
  assert.equal(isComplete([], {}), false)
})

it('the next question is the next unanswered one, wrapping around at the end', () => {
  assert.equal(nextOpen(questions, { a: true }, 0), 1)
  assert.equal(nextOpen(questions, { a: true, b: true }, 0), 2)
  assert.equal(nextOpen(questions, { b: true, c: true }, 2), 0)
  assert.equal(nextOpen(questions, { a: true, b: true, c: true }, 1), 1)
})

it('answers are sent in the order of the questions', () => {
  assert.deepEqual(scoresOf(questions, { c: 1, a: false }), [
    { evaluatorSlug: 'a', value: false },
    { evaluatorSlug: 'c', value: 1 },
  ])
})

it("earlier answers are the annotator's own, for this item, by the latest version of each evaluator", () => {
  const score = {
    isOwn: true,
    evaluatorSlug: 'a',
    logId: null,
    comment: null,
    createdAt: '2026-11-23T06:00:02Z',
  }
  const scores = [
    { ...score, value: 2 },
    { ...score, value: 1, createdAt: '2026-11-23T06:00:01.5Z', comment: 'Why' },
    { ...score, value: 3, logId: 'log' },
    { ...score, value: 4, isOwn: false },
    { ...score, value: 5, evaluatorSlug: null },
    { ...score, value: false, evaluatorSlug: 'b' },
  ]
  // Safe: the code under test reads no other fields.
  const trace = { scores } as unknown as Parameters<typeof answersOf>[0]
  assert.deepEqual(answersOf(trace, { logId: null }), { answers: { a: 2, b: false }, comment: 'Why' })
  assert.deepEqual(answersOf(trace, { logId: 'log' }), { answers: { a: 3 }, comment: '' })
})
