import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOfColumn, planJobs } from './plan-jobs.ts'

const plan = {
  texts: { text: 'Hi {{ name }}', systemText: '' },
  messages: [],
  parameters: { temperature: 0 },
  prompt: 'greet',
  isRecorded: false,
}

it('each case runs on each column for the requested repetitions, with a unique key', () => {
  const columns = [
    [0, { connectionId: 'c', model: 'one' }],
    [10, { connectionId: 'c', model: 'two' }],
  ] as const
  const cases = [
    { id: 'a', values: {} },
    { id: 'b', values: {} },
  ]
  const keys = planJobs(plan, columns, cases, 2).map(({ key }) => key)
  assert.equal(new Set(keys).size, 8)
  assert.equal(keys.filter(isOfColumn(1)).length, 0)
})

it('a version runs with its own texts and parameters, and the draft with those of the form', () => {
  const columns = [
    [0, { connectionId: 'c', model: '', version: '1.0' }],
    [1, { connectionId: 'c', model: 'one' }],
  ] as const
  const [ofVersion, ofDraft] = planJobs(plan, columns, [{ id: 'a', values: { name: 'Ada' } }], 1)
  assert.deepEqual(ofVersion?.input, {
    connectionId: 'c',
    prompt: { slug: 'greet', version: '1.0' },
    variables: { name: 'Ada' },
  })
  assert.deepEqual(ofDraft?.input, {
    connectionId: 'c',
    model: 'one',
    text: 'Hi {{ name }}',
    systemText: '',
    parameters: { temperature: 0 },
    variables: { name: 'Ada' },
  })
})
