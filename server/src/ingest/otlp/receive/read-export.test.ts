/** Accepting an export reads only the heads of its spans, which must match the spans that are stored later. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../../../fixtures/property-runs.ts'
import { referencesOf } from '../references.ts'
import { refuseManyMessages } from './count-messages.ts'
import { logsRequest, type MessageType, traceRequest } from './message-types.ts'
import { decodeLogs, decodeTraces } from './protobuf.ts'
import { MalformedExport, readLogRecords, readSpanHeads, readSpans } from './read-export.ts'
import { scanSpans } from './scan-spans.ts'

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

// Safe: the generated code has these names.
const { ExportTraceServiceRequest } = (
  createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js') as {
    opentelemetry: {
      proto: {
        collector: { trace: { v1: Record<string, { encode(value: object): { finish(): Uint8Array } }> } }
      }
    }
  }
).opentelemetry.proto.collector.trace.v1 as {
  ExportTraceServiceRequest: { encode(value: object): { finish(): Uint8Array } }
}

const bytesOf = (length: number) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.uint8Array({ minLength: length, maxLength: length }) },
    { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(), new Uint8Array(length), new Uint8Array(3)) },
  )
const nanos = fc.constantFrom(1_750_000_000_000_000, 1_750_000_000_000_001)
const { value: wireValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.record({ stringValue: fc.string() }),
    fc.record({ intValue: fc.integer() }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ doubleValue: fc.double() }),
    fc.record({ bytesValue: fc.uint8Array() }),
    fc.constant({}),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: fc.string(), value: tie('value') }), { maxLength: 3 }),
      }),
    }),
  ),
}))
const wireAttributes = fc.array(
  fc.record({
    key: fc.oneof(
      fc.string(),
      fc.constantFrom('plumbline.feature', 'gen_ai.prompt.name', 'plumbline.Feature'),
    ),
    value: wireValue,
  }),
  { maxLength: 4 },
)
const wireSpan = fc.record({
  traceId: bytesOf(16),
  spanId: bytesOf(8),
  parentSpanId: fc.option(bytesOf(8), { nil: undefined }),
  traceState: fc.string(),
  flags: fc.nat(),
  name: fc.string(),
  kind: fc.integer({ min: 0, max: 7 }),
  startTimeUnixNano: fc.oneof({ weight: 20, arbitrary: nanos }, { weight: 1, arbitrary: fc.constant(0) }),
  endTimeUnixNano: nanos,
  attributes: wireAttributes,
  droppedAttributesCount: fc.nat(),
  events: fc.array(fc.record({ timeUnixNano: nanos, name: fc.string(), attributes: wireAttributes }), {
    maxLength: 2,
  }),
  links: fc.array(
    fc.record({ traceId: bytesOf(16), spanId: bytesOf(8), attributes: wireAttributes, flags: fc.nat() }),
    {
      maxLength: 2,
    },
  ),
  status: fc.record({ code: fc.integer({ min: 0, max: 3 }), message: fc.string() }),
})
const wireExport = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({
        attributes: wireAttributes,
        entityRefs: fc.array(fc.record({ type: fc.string(), idKeys: fc.array(fc.string()) }), {
          maxLength: 1,
        }),
      }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string(), version: fc.string(), attributes: wireAttributes }),
          spans: fc.array(wireSpan, { maxLength: 3 }),
          schemaUrl: fc.string(),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
})
/** Changes or removes some bytes of an export. */
const damage = fc.array(
  fc.record({ place: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), cut: fc.constantFrom(0, 0, 0, 1, 7) }),
  { maxLength: 3 },
)

function encodeDamaged(
  message: object,
  damages: readonly { place: number; byte: number; cut: number }[],
): Buffer {
  let bytes = Buffer.from(ExportTraceServiceRequest.encode(message).finish())
  for (const { place, byte, cut } of bytes.length === 0 ? [] : damages) {
    const index = place % bytes.length
    bytes[index] = byte
    bytes = Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + cut)])
    if (bytes.length === 0) break
  }
  return bytes
}

/** The result, or `malformed`. */
function tryRead<Read>(read: () => Read): Read | 'malformed' {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedExport) return 'malformed'
    throw error
  }
}

function assertReadAlike(bytes: Buffer): void {
  const whole = tryRead(() => readSpans(bytes, 'protobuf'))
  const heads = tryRead(() => readSpanHeads(bytes, 'protobuf'))
  if (whole === 'malformed' || heads === 'malformed') {
    assert.equal(heads, whole)
    return
  }
  assert.deepEqual(
    heads.parts.map(({ traceId, attributes }) => [traceId, attributes && referencesOf({ attributes })]),
    whole.parts.map((each) => [each.traceId, referencesOf(each)]),
  )
  assert.deepEqual([heads.rejected, heads.problem], [whole.rejected, whole.problem])
}

/** How many messages a decoded value contains, not counting itself. */
function messagesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || 'low' in value) return 0
  const isMessage = Array.isArray(value) ? 0 : 1
  return Object.values(value).reduce<number>((sum, each) => sum + messagesIn(each), isMessage)
}

/** Whether an export is rejected if the process has room for this many messages. */
function isRefused(bytes: Buffer, type: MessageType, messagesMax: number): boolean {
  try {
    refuseManyMessages(bytes, type, messagesMax)
    return false
  } catch {
    return true
  }
}

function assertCounted(bytes: Buffer, isWhole: boolean): void {
  let count: number
  try {
    count = messagesIn(decodeTraces(bytes)) - 1
  } catch {
    return
  }
  if (count > 0) assert.ok(isRefused(bytes, traceRequest, count - 1))
  if (isWhole) assert.ok(!isRefused(bytes, traceRequest, count))
}

describe('an export of more messages than the process has room for', () => {
  it('is rejected before it is decoded, whatever its bytes', () => {
    fc.assert(
      fc.property(wireExport, damage, (message, damages) => {
        assertCounted(encodeDamaged(message, []), true)
        assertCounted(encodeDamaged(message, damages), false)
      }),
      propertyRuns(1_000),
    )
  })

  it('is rejected if integers are longer than any exporter writes them', () => {
    for (const count of [6, 7, 9]) {
      // `dropped_attributes_count` of a resource, of which the decoder accepts ten bytes.
      const droppedCount = [0x10, ...Buffer.alloc(count - 1, 0x80), 0]
      const bytes = Buffer.from([0x0a, 28, 0x0a, 26, ...droppedCount, ...Buffer.alloc(40, 0x0a)])
      assert.ok(isRefused(bytes, traceRequest, 10), String(count))
    }
    for (const tag of [0x1b, 0x1c, 0x1e, 0x1f])
      assert.ok(isRefused(Buffer.from([tag, 0, 0, 0]), traceRequest, 1))
  })

  it('is rejected with the allowed number in the message', () => {
    const empty = Buffer.alloc(2_000, Buffer.from([0x0a, 0]))
    for (const [type, decode] of [
      [traceRequest, decodeTraces],
      [logsRequest, decodeLogs],
    ] as const) {
      assert.throws(
        () => refuseManyMessages(empty, type, 999),
        /^ServiceError: body: must not have more than 999/,
      )
      refuseManyMessages(empty, type, 1_000)
      assert.ok(messagesIn(decode(empty)) >= 1_000)
    }
    const record = Buffer.from([0x0a, 8, 0x12, 6, 0x12, 4, 0x32, 0, 0x32, 0])
    assert.ok(isRefused(record, logsRequest, 4))
    assert.ok(!isRefused(record, logsRequest, 5))
  })
})

describe('readSpanHeads', () => {
  it('accepts and rejects the same spans as readSpans, and keeps those with references', () => {
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

  it('accepts and rejects the same spans in protobuf, also in damaged exports', () => {
    fc.assert(
      fc.property(wireExport, damage, (message, damages) => assertReadAlike(encodeDamaged(message, damages))),
      propertyRuns(2_000),
    )
  })

  it('gives the same result if any byte is replaced by the tag of another type', () => {
    const [traceId, spanId] = [Buffer.alloc(16, 7), Buffer.alloc(8, 7)]
    const attributes = [{ key: 'plumbline.feature', value: { stringValue: 'a' } }]
    const event = { timeUnixNano: 1, name: 'a', attributes, droppedAttributesCount: 1 }
    const link = { traceId, spanId, traceState: 'a', attributes, droppedAttributesCount: 1, flags: 1 }
    const span = {
      ...{ traceId, spanId, parentSpanId: spanId, traceState: 'a', flags: 1, name: 'a', kind: 1 },
      ...{ startTimeUnixNano: 1, endTimeUnixNano: 2, attributes, droppedAttributesCount: 1 },
      ...{ events: [event], droppedEventsCount: 1, links: [link], droppedLinksCount: 1 },
      status: { code: 1, message: 'a' },
    }
    const scope = { name: 'a', version: 'a', attributes, droppedAttributesCount: 1 }
    const bytes = encodeDamaged(
      { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: [span] }] }] },
      [],
    )
    // The same field with another type, and the fields of ids, which then occur twice.
    for (const [index, byte] of bytes.entries())
      for (const field of [byte >>> 3, 1, 2])
        for (let wireType = 0; wireType < 6; wireType++) {
          const changed = Buffer.from(bytes)
          changed[index] = (field << 3) | wireType
          assertReadAlike(changed)
          assertCounted(changed, false)
        }
  })

  it('decodes no export in the form that exporters write', () => {
    const attributes = [{ key: 'a', value: { arrayValue: { values: [{ intValue: -1 }] } } }]
    const span = {
      traceId: Buffer.alloc(16, 1),
      spanId: Buffer.alloc(8, 1),
      startTimeUnixNano: 1e15,
      attributes,
    }
    const spans = [span, { ...span, parentSpanId: span.spanId, endTimeUnixNano: 2e15, kind: 2 }]
    const bytes = encodeDamaged(
      { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] },
      [],
    )
    const traceId = '01'.repeat(16)
    assert.deepEqual(scanSpans(bytes), [
      { traceId, message: undefined },
      { traceId, message: undefined },
    ])
  })
})

describe('log records', () => {
  const record = {
    traceId: '01'.repeat(16),
    spanId: '01'.repeat(8),
    timeUnixNano: '5',
    body: { stringValue: 'Asking the model.' },
    attributes: [{ key: 'attempt', value: { intValue: '2' } }],
  }
  const eventsOf = (...logRecords: readonly object[]) =>
    readLogRecords(
      Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })),
      'json',
    ).parts.map(({ event }) => event)

  it('become events of the span that they name, including lines without an event name', () => {
    const attributes = { body: 'Asking the model.', attempt: 2 }
    assert.deepEqual(eventsOf({ ...record, eventName: 'gen_ai.choice' }, record), [
      { name: 'gen_ai.choice', timeNs: 5n, attributes },
      { name: 'log', timeNs: 5n, attributes },
    ])
  })

  it('that name no span are skipped', () => {
    assert.deepEqual(eventsOf({ ...record, spanId: '' }, { ...record, traceId: undefined }), [])
  })
})
