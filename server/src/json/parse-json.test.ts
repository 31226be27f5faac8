import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import { JsonScan } from './json-text.ts'
import { parseJson, parseJsonInSlices } from './parse-json.ts'

/** The result of a parse as text: the value, or the error. */
async function outcomeOf(parse: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await parse())
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    return error.code
  }
}

const agree = async (text: string, sliceBytes: number): Promise<void> => {
  const bytes = Buffer.from(text)
  const atOnce = await outcomeOf(() => parseJson(bytes))
  const inSlices = await outcomeOf(() => parseJsonInSlices(bytes, { sliceBytes }))
  // A text with two errors is refused for the first one that is found: an infinite number before a missing comma.
  if (atOnce === 'malformed_json' && inSlices === 'invalid_request') return assert.match(text, /\d{3}/)
  assert.equal(inSlices, atOnce, JSON.stringify(text))
}

describe('parsing in slices (M4)', () => {
  it('gives the same result as parsing at once, for any value, spacing and slice size', async () => {
    const spaces = fc.constantFrom('', ' ', '\n\t', '    ')
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }),
        spaces,
        fc.integer({ min: 1, max: 60 }),
        (value, space, size) => agree(`${space}${JSON.stringify(value, undefined, space)}${space}`, size),
      ),
      propertyRuns(50),
    )
  })

  it('refuses whatever parsing at once refuses', async () => {
    const damage = fc.constantFrom(',', ':', '[', ']', '{', '}', '"', '\\', ' ', '1', 'x', '')
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.nat(3),
        damage,
        fc.integer({ min: 1, max: 30 }),
        (value, place, deleteCount, insertion, size) => {
          const text = JSON.stringify(value, undefined, 1)
          const index = place % (text.length + 1)
          return agree(text.slice(0, index) + insertion + text.slice(index + deleteCount), size)
        },
      ),
      propertyRuns(200),
    )
  })

  for (const text of [
    '[1,2,3,]',
    '[,1]',
    '[1,,2]',
    '[[1,2,3],]',
    '[,[1,2,3]]',
    '[[1,2,3] [1]]',
    '{"a":[1,2,3],}',
    '{,"a":[1,2,3]}',
    '{"a":[1,2,3]"b":1}',
    '{"a" [1,2,3]}',
    '{a:[1,2,3]}',
    '{"a\\x":[1,2,3]}',
    '{"__proto__":[1,2,3],"__proto__":{"a":[4,5,6]}}',
    '{"b":[1,2,3],"a":1,"b":[4,5,6]}',
    '[1,2,3}',
    '[1,2,3]]',
    '[[1,2,3]',
    '[{"a":1},{"b":"]"},"["]',
    '[]',
    '[    ]',
    '{    }',
    '[1,2,1e400]',
    '',
    '   ',
  ])
    it(`agrees on ${text}`, () => agree(text, 2))

  it('names the field of a number that does not fit in a double', async () => {
    const bytes = Buffer.from('{"a":[1,{"b":[2,3,1e400]}]}')
    await assert.rejects(parseJsonInSlices(bytes, { sliceBytes: 2 }), /a\[1\]\.b\[2\]: must be a number/)
  })

  it('reports the position of a syntax error, in characters', async () => {
    const bytes = Buffer.from('["ä","ö","ü",{"a":1 1}]')
    assert.throws(() => parseJson(bytes), /position 20/)
    await assert.rejects(parseJsonInSlices(bytes, { sliceBytes: 4 }), /position 20/)
  })

  it('serves other work between slices', async () => {
    let turns = 0
    const count = setInterval(() => turns++, 0)
    await parseJsonInSlices(Buffer.from(`[${'{},'.repeat(1_000_000)}{}]`))
    clearInterval(count)
    assert.ok(turns > 3, `the event loop came round ${turns} times`)
  })
})

describe('nesting (M4)', () => {
  it('is refused before any byte beyond the limit is read, and before the parser runs', () => {
    const scan = new JsonScan(Buffer.from('['.repeat(100_000)))
    assert.throws(() => scan.advance(1001), /nest deeper/)
    new JsonScan(Buffer.from('['.repeat(100_000))).advance(1000)
  })

  it('does not count brackets in strings', () => {
    assert.deepEqual(parseJson(Buffer.from(`["${'['.repeat(5000)}\\"["]`)), [`${'['.repeat(5000)}"[`])
  })
})

it('refuses more arrays and objects than the heap holds, before the parser runs (issue 14, part 7)', () => {
  const advance = (text: string) => new JsonScan(Buffer.from(text), 3).advance(text.length)
  advance('[{},["{{{{[[[["]]')
  assert.throws(() => advance('[{},[],{}]'), /must not have more than 3 arrays and objects/)
})
