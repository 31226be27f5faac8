import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubjectTexts } from './names-subject.ts'

describe('a text about the subject of an erasure', () => {
  const { isWordIn, isValueIn } = makeSubjectTexts(['jörg+test/1@example.com', 'Jane Doe'])

  it("contains the id as a word, by itself, in any client's JSON, or in a URL", () => {
    for (const text of [
      'jörg+test/1@example.com',
      'about jörg+test/1@example.com.',
      '{"id":"jörg+test/1@example.com"}',
      // As the JSON writers of Python, .NET and PHP do.
      '{"id":"j\\u00f6rg+test/1@example.com"}',
      '{"id":"j\\u00F6rg\\u002Btest/1@example.com"}',
      '{"id":"j\\u00f6rg+test\\/1@example.com"}',
      '?user=j%C3%B6rg%2Btest%2F1%40example.com',
      '?where=%5B%7B%22value%22%3A%22j%c3%b6rg%2btest%2f1%40example.com%22%7D%5D',
      '?user=Jane+Doe&columns=cost',
      '?q=user%3AJane%20Doe',
    ])
      assert.ok(isWordIn(text), text)
  })

  it('contains it as a complete JSON value', () => {
    for (const text of [
      'Jane Doe',
      '["Jane Doe"]',
      '{"id":"j\\u00F6rg\\u002Btest/1@example.com"}',
      '{"id":"j\\u00f6rg+test\\/1@example.com"}',
    ])
      assert.ok(isValueIn(text), text)
  })

  it('does not contain it as part of another word or value', () => {
    for (const text of ['Mary Jane Doe-Smith', 'xjörg+test/1@example.com', '100%22', '\\u00zz', '%zz', ''])
      assert.ok(!isWordIn(text), text)
    for (const text of ['["Mary Jane Doe"]', '{"a":"Jane Doe, 7"}', '']) assert.ok(!isValueIn(text), text)
  })
})
