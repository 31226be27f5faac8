import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newInput, newOutput } from './turn-messages.ts'

const say = (role: string, content: string) => ({ role, content })
const texts = (messages: ReturnType<typeof newInput>) =>
  messages?.map(
    ({ role, parts }) =>
      `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : part.type)).join()}`,
  )

it('of an input with the history, only the new messages are shown', () => {
  const history = [
    say('system', 'Be kind.'),
    say('user', 'Hi'),
    say('assistant', 'Hello'),
    say('user', 'My parcel?'),
  ]
  assert.deepEqual(texts(newInput(history)), ['user: My parcel?'])
  assert.deepEqual(texts(newInput({ messages: history.slice(0, 2) })), ['user: Hi'])
  assert.deepEqual(texts(newInput(history.slice(0, 3))), ['user: Hi'])
})

it('texts and objects with a text are messages; other objects are not', () => {
  assert.deepEqual(texts(newInput('Hi')), ['user: Hi'])
  assert.deepEqual(texts(newInput({ question: 'Why?', lang: 'en' })), ['user: Why?'])
  assert.deepEqual(texts(newOutput({ answer: 'Because.' })), ['assistant: Because.'])
  assert.deepEqual(texts(newOutput('Yes')), ['assistant: Yes'])
  assert.equal(newInput({ company: 'Fernhill' }), undefined)
  assert.equal(newInput(null), undefined)
})
