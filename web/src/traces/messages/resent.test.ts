import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from './message.ts'
import { resentFrom } from './resent.ts'

const say = (role: Message['role'], text: string): Message => ({
  role,
  name: undefined,
  parts: [{ type: 'text', text }],
})

const first = [say('system', 'Be short.'), say('user', 'One?')]
const withAnswer = [...first, say('assistant', 'One.')]

describe('the resent messages of a call', () => {
  it('are the input and output of the previous call', () => {
    const next = [...withAnswer, say('user', 'Two?')]
    assert.deepEqual(resentFrom(next, [{ call: 'first', messages: withAnswer }]), { call: 'first', count: 3 })
  })

  it('are attributed to the latest call that shares the most', () => {
    const next = [...withAnswer, say('user', 'Two?')]
    const before = [
      { call: 'other', messages: [say('user', 'Else')] },
      { call: 'again', messages: withAnswer },
      { call: 'first', messages: withAnswer },
    ]
    assert.equal(resentFrom(next, before)?.call, 'again')
  })

  it('exclude the last message if a call repeats another', () => {
    assert.equal(resentFrom(withAnswer, [{ call: 'first', messages: withAnswer }])?.count, 2)
  })

  it('are none if only the system text is equal', () => {
    assert.equal(
      resentFrom([first[0] as Message, say('user', 'Else')], [{ call: 'first', messages: first }]),
      undefined,
    )
  })

  it('ignore reasoning, which is not resent', () => {
    const reasoningMessage: Message = {
      role: 'assistant',
      name: undefined,
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'One.' },
      ],
    }
    const next = [...withAnswer, say('user', 'Two?')]
    assert.equal(resentFrom(next, [{ call: 'first', messages: [...first, reasoningMessage] }])?.count, 3)
  })
})
