import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseExactJson } from './exact-json.ts'

it('integers that would lose digits become texts, and everything else is unchanged', () => {
  assert.deepEqual(
    parseExactJson(
      '{"id":12345678901234567891,"list":[-9007199254740993,9007199254740991,1152921504606846976],"text":"12345678901234567891"}',
    ),
    {
      id: '12345678901234567891',
      list: ['-9007199254740993', 9007199254740991, '1152921504606846976'],
      text: '12345678901234567891',
    },
  )
  // Numbers that are written like this in exports stay numbers.
  for (const value of [2 ** 60, 1e21, 1e300, -0, 0.1234567890123456, 2 ** 53])
    assert.equal(parseExactJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
  const parsed = parseExactJson('{"__proto__":1234567890123456789}') as object
  assert.deepEqual(Object.entries(parsed), [['__proto__', '1234567890123456789']])
  assert.throws(() => parseExactJson('{"a":1234567890123456789'), SyntaxError)
})
