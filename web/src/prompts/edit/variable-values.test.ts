import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readValues, textsInLogs } from './variable-values.ts'

it('a variable that the template loops over is read as JSON, and others stay text', () => {
  const read = readValues({ name: '42', items: '[1, 2]', isNew: 'true', gone: 'x' }, [
    { label: 'name', type: 'string' },
    { label: 'items', type: 'array' },
    { label: 'isNew', type: 'boolean' },
    { label: 'empty', type: 'string' },
  ])
  assert.deepEqual(read, { values: { name: '42', items: [1, 2], isNew: true }, problems: {} })
})

it('invalid JSON is reported, with the reason why JSON is needed', () => {
  const { problems } = readValues({ user: 'Ada' }, [{ label: 'user', type: 'object' }])
  assert.deepEqual(problems, { user: 'Enter JSON: the template uses it as an object.' })
})

it('recorded values of a trace fill the form as text', () => {
  const prompt = { slug: 'greeting' }
  const variables = [
    { label: 'a', value: 'x' },
    { label: 'b', value: [1] },
    { label: 'c', value: null },
  ]
  const logs = [
    { prompt: { slug: 'other' }, variables: [] },
    { prompt, variables: null },
    { prompt, variables },
  ]
  assert.deepEqual(textsInLogs(logs, 'greeting'), { a: 'x', b: '[\n  1\n]', c: '' })
  assert.equal(textsInLogs(logs.slice(0, 2), 'greeting'), undefined)
})
