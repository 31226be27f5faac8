/** Accepting an export reads the heads of its spans: they are those of the spans that are stored later. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../../../fixtures/property-runs.ts'
import { referencesOf } from '../references.ts'
import { readSpanHeads, readSpans } from './read-export.ts'

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom({ toString: 1, valueOf: 2 }, { low: 'x', high: 0 }, { low: -1, high: -1 }, 1e30, '-1'),
)
const orJunk = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: junk })
const id = (bytes: number) =>
  orJunk(
    fc.oneof(
      fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => Buffer.from(each).toString('hex')),
      fc.constantFrom('', '0'.repeat(bytes * 2), 'zz'),
    ),
  )
const time = orJunk(fc.constantFrom('0', '1750000000000000000', 1_750_000_000_000, undefined))
const value = orJunk(
  fc.oneof(
    fc.record({ stringValue: orJunk(fc.string()) }),
    fc.record({ intValue: orJunk(fc.constantFrom('1', 2, '1.5', '99999999999999999999')) }),
    fc.record({ doubleValue: orJunk(fc.double()) }),
    fc.record({ bytesValue: orJunk(fc.base64String()) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(fc.record({ intValue: orJunk(fc.integer()) })) }) }),
  ),
)
const key = orJunk(
  fc.constantFrom(
    'a',
    '__proto__',
    'plumbline.feature',
    'gen_ai.prompt.name',
    'plumbline.evaluators',
    'user.id',
  ),
)
const attributes = orJunk(fc.array(orJunk(fc.record({ key, value })), { maxLength: 4 }))
const event = orJunk(fc.record({ name: orJunk(fc.string()), timeUnixNano: time, attributes }))
const link = orJunk(fc.record({ traceId: id(16), spanId: id(8), attributes }))
const span = orJunk(
  fc.record({
    traceId: id(16),
    spanId: id(8),
    parentSpanId: id(8),
    name: orJunk(fc.string()),
    kind: orJunk(fc.integer({ min: 0, max: 7 })),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    events: orJunk(fc.array(event, { maxLength: 2 })),
    links: orJunk(fc.array(link, { maxLength: 2 })),
    status: orJunk(fc.record({ code: orJunk(fc.integer({ min: 0, max: 3 })) })),
  }),
)
const exports = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: orJunk(fc.record({ attributes })),
      scopeSpans: orJunk(
        fc.array(
          fc.record({
            scope: orJunk(fc.record({ name: orJunk(fc.string()), attributes })),
            spans: orJunk(fc.array(span, { maxLength: 4 })),
          }),
          { maxLength: 2 },
        ),
      ),
    }),
    { maxLength: 2 },
  ),
})

describe('readSpanHeads', () => {
  it('accepts and rejects the spans that readSpans does, and keeps what refers to something', () => {
    fc.assert(
      fc.property(exports, (json) => {
        const bytes = Buffer.from(JSON.stringify(json))
        const { parts, rejected, problem } = readSpans(bytes, 'json')
        const heads = readSpanHeads(bytes, 'json')
        assert.deepEqual(
          heads.parts.map(({ traceId, attributes }) => [traceId, attributes && referencesOf({ attributes })]),
          parts.map((each) => [each.traceId, referencesOf(each)]),
        )
        assert.deepEqual([heads.rejected, heads.problem], [rejected, problem])
      }),
      propertyRuns(1_000),
    )
  })
})
