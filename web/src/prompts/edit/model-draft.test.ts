import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modelText, readDraft, toDraft, toolNames } from './model-draft.ts'

it('a configuration survives a round trip through the form', () => {
  const model = {
    provider: 'open-ai',
    client: '',
    model: 'gpt-5-mini',
    version: '',
    parameters: {
      temperature: 0,
      topP: 1,
      maxLength: 512,
      responseFormat: 'json_schema' as const,
      jsonObject: { type: 'object' },
      toolChoice: 'auto',
    },
  }
  assert.deepEqual(readDraft(toDraft(model)), { model, problems: {} })
})

it('invalid numbers and JSON are reported by field', () => {
  const { model, problems } = readDraft({ ...toDraft(undefined), topK: 'many', tools: '[{' })
  assert.deepEqual(problems, { topK: 'Enter a number.', tools: 'Enter valid JSON.' })
  assert.deepEqual(model.parameters, { temperature: 1, topP: 1, maxLength: 4096, responseFormat: 'text' })
})

it('a schema that is not sent has no problem', () => {
  const draft = { ...toDraft(undefined), jsonObject: '{"type":' }
  assert.deepEqual(readDraft(draft).problems, {})
  const { problems } = readDraft({ ...draft, responseFormat: 'json_schema' })
  assert.deepEqual(problems, { jsonObject: 'Enter valid JSON.' })
  const missing = readDraft({ ...toDraft(undefined), responseFormat: 'json_schema' })
  assert.deepEqual(missing.problems, { jsonObject: 'Enter a schema, or choose another format.' })
})

it('equivalent configurations have the same text', () => {
  assert.equal(
    modelText({ model: 'a', parameters: { temperature: 1 } }),
    modelText({ model: 'a', client: '' }),
  )
})

it('tools are named as OpenAI or Anthropic write them', () => {
  assert.deepEqual(toolNames([{ type: 'function', function: { name: 'look' } }, { name: 'find' }, 3]), [
    'look',
    'find',
  ])
})
