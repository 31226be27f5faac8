import assert from 'node:assert/strict'
import { it } from 'node:test'
import { configText } from './config-text.ts'

it('writes fields by name, with multi-line texts below their names', () => {
  assert.equal(
    configText({ template: 'Judge.\n\nYes?', model: 'gpt-4o', temperature: 0, seed: null, path: undefined }),
    'model: gpt-4o\ntemperature: 0\ntemplate:\n  Judge.\n\n  Yes?',
  )
})

it('does not depend on the order of fields, including nested ones', () => {
  const config = { verdict: { type: 'numeric', min: 0, max: 5 }, model: 'm' }
  const other = { model: 'm', verdict: { max: 5, min: 0, type: 'numeric' } }
  assert.equal(configText(config), configText(other))
  assert.equal(configText({ choices: ['b', 'a'] }), 'choices: [\n    "b",\n    "a"\n  ]')
})
