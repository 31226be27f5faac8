import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { parseJsonBytes, parseJsonText } from './parse-json-text.ts'

/** Short keys, with escapes even where `JSON.stringify` would write none. */
const keyText = fc
  .array(
    fc.constantFrom('\\\\', '\\"', '\\/', '\\n', '\\u540d', '\\u005c', '\\u0022', 'a', 'u', ':', '\u540d'),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`)

describe('JSON whose keys have escapes', () => {
  it('keeps its original keys, whatever was parsed before', () => {
    for (const [before, text, key] of [
      ['{"a":1,"\\\\":0}', '{"a":1,"\\u540d":2}', '\u540d'],
      ['{"a":1,"\\\\\\\\":0}', '{"a":1,"\\\\\\"":2}', '\\"'],
    ] as const) {
      parseJsonText(before)
      assert.deepEqual(Object.keys(parseJsonText(text) as object), ['a', key])
    }
  })

  it('keeps them in any order, depth and spelling', () => {
    fc.assert(
      fc.property(fc.array(keyText, { maxLength: 4 }), fc.constantFrom('', ' ', '\n\t'), (keys, space) => {
        const inner = keys.map((key, index) => `${space}${key}${space}:${space}[${key},${index},{}]`).join()
        const text = `${space}{${space}"a":[{${inner}${space}}, -1.5e3,\ttrue ],"b":{${inner}}}`
        const expectation = Object.fromEntries(keys.map((key) => [JSON.parse(key), null]))
        const value = parseJsonText(text) as { a: [object, number, boolean]; b: object }
        assert.deepEqual(
          [Object.keys(value.a[0]), Object.keys(value.b)],
          [Object.keys(expectation), Object.keys(expectation)],
        )
        for (const [key, item] of Object.entries(value.b)) assert.equal((item as unknown[])[0], key)
        assert.deepEqual(value.a.slice(1), [-1500, true])
      }),
      propertyRuns(300),
    )
  })

  it('keeps them after texts of any length, with quotes and escapes near or far', () => {
    const piece = fc.constantFrom('\\\\', '\\"', '\\n', ':', ' ', 'a', 'word '.repeat(7), 'long '.repeat(30))
    const long = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(long, long, (value, key) => {
        const fields = { a: 1, before: JSON.parse(`"${value}"`), [`x${JSON.parse(`"${key}"`)}`]: 2 }
        parseJsonText(`{"a":1,"before":0,"x${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}":0}`)
        const text = `{"a":1,"before":"${value}","x${key}":2}`
        assert.deepEqual(parseJsonText(text), fields)
        assert.deepEqual(parseJsonBytes(Buffer.from(text)), fields)
      }),
      propertyRuns(300),
    )
  })

  it('otherwise equals the result of the engine', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1), (value, space) => {
        const text = `{"\\n": ${JSON.stringify(value, undefined, space)} }`
        assert.deepEqual(parseJsonText(text), { '\n': JSON.parse(JSON.stringify(value)) })
      }),
      propertyRuns(300),
    )
    const { ['__proto__']: own } = parseJsonText('{"\\u005f_proto__":{"a":1}}') as Record<string, unknown>
    assert.deepEqual(own, { a: 1 })
    assert.throws(() => parseJsonText('{"\\n":1'), SyntaxError)
  })
})
