import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  isComplete,
  messagesOf,
  placeholdersOf,
  templatesOf,
  textOfMessages,
  textOfRendered,
  textsOf,
} from './prompt-messages.ts'

const chat = [
  { role: 'system', content: 'Be {{ tone }}.' },
  { placeholder: 'history' },
  { role: 'user', content: 'Hi' },
]

describe('a prompt', () => {
  it('converts to messages, and back to texts if two texts are equivalent', () => {
    const texts = { text: 'Hi', systemText: 'Be kind.' }
    assert.deepEqual(textsOf(messagesOf(texts)), texts)
    assert.deepEqual(textsOf(messagesOf({ text: 'Hi', systemText: '' })), { text: 'Hi', systemText: '' })
    assert.equal(textsOf(chat), undefined)
    assert.equal(textsOf([...messagesOf(texts), { role: 'assistant', content: 'Yes?' }]), undefined)
    assert.equal(textsOf([{ placeholder: 'history' }]), undefined)
  })

  it('has templates and placeholders, and reads as one text', () => {
    const prompt = { text: '', systemText: '', messages: chat }
    assert.deepEqual(templatesOf(prompt), ['Be {{ tone }}.', 'Hi'])
    assert.deepEqual(placeholdersOf(prompt), ['history'])
    assert.equal(textOfMessages(chat), '[system]\nBe {{ tone }}.\n\n[messages of history]\n\n[user]\nHi')
  })

  it('can be saved once it has content and each placeholder has a name', () => {
    assert.equal(isComplete({ text: '', systemText: '' }), false)
    assert.equal(isComplete({ text: 'Hi', systemText: '' }), true)
    assert.equal(isComplete({ text: '', systemText: '', messages: chat }), true)
    assert.equal(isComplete({ text: '', systemText: '', messages: [...chat, { placeholder: ' ' }] }), false)
  })

  it('shows rendered messages as text, or as JSON if they are not text only', () => {
    const content = [{ type: 'text', text: 'Hi' }]
    assert.equal(textOfRendered({ role: 'user', content: 'Hi' }), 'Hi')
    assert.equal(textOfRendered({ role: 'user', content: '' }), '')
    assert.equal(textOfRendered({ role: 'assistant', content: null }), '')
    assert.deepEqual(JSON.parse(textOfRendered({ role: 'user', content })), { content })
    const call = { role: 'assistant', content: '', tool_calls: [{ id: 'c' }] }
    assert.deepEqual(JSON.parse(textOfRendered(call)), { tool_calls: [{ id: 'c' }] })
  })
})
