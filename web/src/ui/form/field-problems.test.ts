import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fieldAt, problemOfRejection, sentence } from './field-problems.ts'

it('a service message with a path is split', () => {
  assert.deepEqual(problemOfRejection('columns[0].name: must not be empty'), {
    path: 'columns[0].name',
    problem: 'must not be empty',
  })
  assert.equal(problemOfRejection('The name "x" is taken.'), undefined)
  assert.equal(problemOfRejection('The body is not valid JSON: unexpected end.'), undefined)
})

it('a problem is shown at its field, else at the nearest enclosing one, else at the form', () => {
  const fields = ['name', 'columns', 'columns.1.name', 'lifetime']
  assert.equal(fieldAt('name', {}, fields), 'name')
  assert.equal(fieldAt('columns[1].name', {}, fields), 'columns.1.name')
  assert.equal(fieldAt('columns[0].name', {}, fields), 'columns')
  assert.equal(fieldAt('expiresAt', { expiresAt: 'lifetime' }, fields), 'lifetime')
  assert.equal(fieldAt('slug', {}, fields), undefined)
  assert.equal(fieldAt('', {}, fields), undefined)
})

it('a problem reads as a sentence', () => {
  assert.equal(sentence('must not be empty'), 'Must not be empty.')
  assert.equal(sentence('is required'), 'Required.')
  assert.equal(sentence('Which one?'), 'Which one?')
})
