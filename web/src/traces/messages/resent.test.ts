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

describe('what a call sent again', () => {
  it('is what the call before was sent and answered', () => {
    const next = [...withAnswer, say('user', 'Two?')]
    assert.deepEqual(resentFrom(next, [{ call: 'first', messages: withAnswer }]), { call: 'first', count: 3 })
  })

  it('is told of the latest call that shares the most', () => {
    const next = [...withAnswer, say('user', 'Two?')]
    const before = [
      { call: 'other', messages: [say('user', 'Else')] },
      { call: 'again', messages: withAnswer },
      { call: 'first', messages: withAnswer },
    ]
    assert.equal(resentFrom(next, before)?.call, 'again')
  })

  it('leaves the last message in sight where a call repeats another', () => {
    assert.equal(resentFrom(withAnswer, [{ call: 'first', messages: withAnswer }])?.count, 2)
  })

  it('is nothing where only the system text is the same', () => {
    assert.equal(
      resentFrom([first[0] as Message, say('user', 'Else')], [{ call: 'first', messages: first }]),
      undefined,
    )
  })

  it('takes no notice of reasoning, which is not sent back', () => {
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
