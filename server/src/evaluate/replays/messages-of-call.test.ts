import assert from 'node:assert/strict'
import { it } from 'node:test'
import { messagesOfCall, missingVariables } from './messages-of-call.ts'

const texts = (messages: object[]) => ({ text: '', systemText: '', messages })
const turns = [
  { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'look' } }] },
  { role: 'tool', tool_call_id: 'c', content: '' },
  { role: 'user', content: 'And now?' },
]

it('tool calls without a text and their empty results are kept, in variables and in turns', () => {
  const prompt = texts([{ placeholder: 'history' }, { role: 'user', content: '{{ question }}' }])
  const variables = [
    { label: 'history', value: turns },
    { label: 'question', value: 'Why?' },
  ]
  const question = { role: 'user', content: 'Why?' }
  const log = { variables, input: [...turns, question, ...turns] }
  assert.deepEqual(messagesOfCall(log, prompt, prompt), { messages: [...turns, question, ...turns] })
})

it('turns are found after messages that the application sent although they render to nothing', () => {
  const recorded = { text: 'Hello', systemText: '{{ tone }}' }
  const input = [{ role: 'system', content: '' }, { role: 'user', content: 'Hello' }, ...turns]
  const { messages } = messagesOfCall({ variables: [], input }, { text: 'Hi', systemText: '' }, recorded) as {
    messages: object[]
  }
  assert.deepEqual(messages, [{ role: 'user', content: 'Hi' }, ...turns])
})

it('a placeholder is a variable that may be missing; a variable whose fields were sent is not missing', () => {
  const prompt = texts([
    { role: 'system', content: '{% set tone = 1 %}{{ tone }}' },
    { placeholder: 'history' },
    { role: 'user', content: '{{ user.name }} {{ tone }}' },
  ])
  const variables = [{ label: 'user.name', value: 'Ada' }]
  assert.deepEqual(missingVariables({ variables }, prompt), ['tone', 'history'])
})
