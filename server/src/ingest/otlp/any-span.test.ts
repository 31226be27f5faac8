/** Arbitrary input: no span is lost, none makes reading fail, and the order of arrival does not matter. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../../fixtures/property-runs.ts'
import { captures, nothingResolved, readCapture, rowsOf, spanOf } from '../../../testing/otlp-spans.ts'
import { isBookkeeping } from './conventions/own-client.ts'
import type { Attributes, AttributeValue, ReceivedSpan } from './span.ts'

/** Every attribute name of the captures, so that odd values reach the code that reads them, plus harmful names. */
const capturedKeys = captures.flatMap((name) =>
  readCapture(name).spans.flatMap(({ attributes }) => Object.keys(attributes)),
)
const keys = [
  ...new Set(capturedKeys.filter((key) => !/messages\.\d\d/.test(key))),
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '.',
    '..',
    'gen_ai.prompt.__proto__.role',
  ],
  ...['llm.input_messages.999999.message.role', 'llm.input_messages.999999.message.content'],
  ...['llm.input_messages.0.message.__proto__.x', 'llm.output_messages.99999999999999999999.message.content'],
  ...[
    'gen_ai.input.messages',
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
    'gen_ai.prompt',
    'gen_ai.completion',
  ],
  ...[
    'gen_ai.prompt.0.content',
    'gen_ai.prompt.0.tool_calls.0.arguments',
    'gen_ai.prompt.0',
    'gen_ai.completion.1.content',
  ],
  ...[
    'ai.operationId',
    'ai.prompt',
    'ai.prompt.messages',
    'ai.values',
    'ai.value',
    'ai.response.toolCalls',
    'ai.embeddings',
  ],
  ...[
    'ai.telemetry.metadata.__proto__',
    'ai.response.providerMetadata',
    'traceloop.entity.input',
    'traceloop.span.kind',
  ],
  ...[
    'traceloop.association.properties.user_id',
    'basalt.root',
    'basalt.span.kind',
    'basalt.span.input',
    'basalt.metadata',
  ],
  ...[
    'basalt.meta.__proto__',
    'basalt.span.evaluators',
    'basalt.span.variables',
    'basalt.span.evaluation.config',
  ],
  ...[
    'basalt.span.evaluation.sample_rate',
    'basalt.user.id',
    'basalt.internal.api',
    'langfuse.observation.usage_details',
  ],
  ...[
    'langfuse.observation.type',
    'langfuse.trace.metadata',
    'langfuse.observation.cost_details',
    'metadata',
    'tag.tags',
  ],
  ...[
    'annotations.0.annotation.name',
    'annotations.0.annotation.score',
    'mlflow.spanInputs',
    'mlflow.chat.tokenUsage',
  ],
  ...[
    'pydantic_ai.all_messages',
    'events',
    'all_messages_events',
    'response_data',
    'request_data',
    'logfire.msg',
  ],
  ...[
    'gen_ai.usage.cost',
    'gen_ai.usage.cache_read.input_tokens',
    'langsmith.span.kind',
    'langsmith.metadata.user_id',
  ],
  ...[
    'retrieval.documents.0.document.metadata',
    'embedding.embeddings.0.embedding.vector',
    'llm.prompts.0.prompt.text',
  ],
]

const words = [
  'LLM',
  'TOOL',
  'generation',
  'chat',
  'ai.generateText.doGenerate',
  'tool',
  'true',
  '-1',
  '1e999',
  'NaN',
  '0x1F',
  '',
]
const small = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })
const part = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('text', 'tool_use', 'tool_result', 'image_url', 'thinking', 'file'),
      small,
    ),
    text: small,
    content: small,
    source: small,
    image_url: small,
    message_content: small,
    functionCall: small,
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom('user', 'tool', 'model', '__proto__'), small),
    content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }), small),
    parts: fc.oneof(fc.array(part, { maxLength: 3 }), small),
    tool_calls: fc.oneof(fc.array(small, { maxLength: 3 }), small),
    message: small,
    kwargs: small,
    type: fc.constantFrom('human', 'ai', 'function_call', 'function_call_output', 7),
    id: small,
  },
  { requiredKeys: [] },
)
const jsonText = fc
  .oneof(
    small,
    fc.array(message, { maxLength: 3 }),
    fc.array(fc.array(message, { maxLength: 2 }), { maxLength: 2 }),
    fc.record({ messages: fc.array(message, { maxLength: 3 }) }),
    message,
  )
  .map((value) => JSON.stringify(value))
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.constantFrom(...words),
  fc.string(),
  jsonText,
  jsonText.map((text) => text.slice(0, -1)),
  fc.double(),
  fc.bigInt(-(2n ** 63n), 2n ** 64n),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  small.map((json) => json as AttributeValue),
)
const attributes: fc.Arbitrary<Attributes> = fc
  .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, fc.string()), value), {
    maxLength: 14,
  })
  .map((entries) => Object.fromEntries(entries))
const names = [
  'exception',
  'gen_ai.user.message',
  'gen_ai.choice',
  'gen_ai.evaluation.result',
  'db.query.result',
  'x',
]
const timeNs = fc.bigInt(0n, 2n ** 64n - 1n)
const evaluation = fc.record({
  name: fc.constant('gen_ai.evaluation.result'),
  timeNs,
  attributes: fc.record({
    'gen_ai.evaluation.name': fc.oneof(fc.constantFrom(...words), value),
    'gen_ai.evaluation.score.value': value,
    'gen_ai.evaluation.score.label': value,
  }),
})
const event = fc.oneof(fc.record({ name: fc.constantFrom(...names), timeNs, attributes }), evaluation)
const id = fc.integer({ min: 0, max: 12 }).map((number) => number.toString(16).padStart(16, '0'))
const anySpan: fc.Arbitrary<ReceivedSpan> = fc
  .record({
    spanId: id,
    parentSpanId: fc.option(id),
    name: fc.oneof(fc.constantFrom('basalt.prompt.get', 'chat gpt-4o', 'ai.toolCall', ''), fc.string()),
    kind: fc.integer({ min: -1, max: 9 }),
    startNs: fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(0n, 1n)),
    endNs: fc.option(fc.bigInt(0n, 2n ** 64n - 1n)),
    attributes,
    events: fc.array(event, { maxLength: 3 }),
    status: fc.record({ code: fc.integer({ min: -1, max: 4 }), message: fc.string() }),
    resource: attributes,
    scope: fc.record({
      name: fc.constantFrom('', 'ai', 'pydantic-ai', 'beeai'),
      version: fc.string(),
      attributes,
    }),
  })
  .map((fields) => spanOf({ ...fields, references: nothingResolved }))
const anyTrace = fc.uniqueArray(anySpan, { selector: ({ spanId }) => spanId, maxLength: 8 })

describe('arbitrary spans', () => {
  it('become one log each, unless they are bookkeeping, and every value is valid JSON', () => {
    let scoreCount = 0
    fc.assert(
      fc.property(anyTrace, (spans) => {
        const { traces, scores } = rowsOf(...spans)
        scoreCount += scores.length
        const logs = traces.flatMap((trace) => trace.logs)
        const ids = logs.map(({ logId }) => logId)
        assert.equal(new Set(ids).size, ids.length)
        for (const span of spans) {
          const isMissing = !ids.includes(span.spanId)
          if (isMissing) assert.ok(spans.some(isBookkeeping))
        }
        if (!spans.some(isBookkeeping)) assert.equal(ids.length, spans.length)
        for (const { trace, logs } of traces) {
          const here = new Set(logs.map(({ logId }) => logId))
          for (const log of logs) {
            assert.ok(log.parentId === null || here.has(log.parentId))
            for (const json of [log.input, log.output, log.metadata, log.variables])
              JSON.parse(json ?? 'null')
            for (const number of [log.inputTokens, log.outputTokens, log.cost, log.freshInputTokens]) {
              assert.ok(number === null || Number.isFinite(number))
            }
          }
          for (const json of [trace.input, trace.output, trace.metadata]) JSON.parse(json ?? 'null')
          for (const id of [trace.userId, trace.sessionId, trace.name])
            assert.ok(id === null || typeof id === 'string')
        }
        for (const { value } of scores) assert.ok(['string', 'number', 'boolean'].includes(typeof value))
      }),
      propertyRuns(30),
    )
    assert.ok(scoreCount > 0)
  })

  it('give the same rows in any order of arrival', () => {
    const pair = anyTrace.chain((spans) =>
      fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })),
    )
    fc.assert(
      fc.property(pair, ([spans, shuffled]) => assert.deepEqual(rowsOf(...shuffled), rowsOf(...spans))),
      propertyRuns(10),
    )
  })
})

describe('a hostile span', () => {
  it('with attribute names such as __proto__ changes no prototype and keeps the names', () => {
    const harmful = Object.fromEntries([
      ['__proto__', 'a'],
      ['basalt.meta.__proto__', '{"polluted":true}'],
      ['llm.input_messages.0.message.__proto__.polluted', 'yes'],
      ['metadata', '{"__proto__":{"polluted":true}}'],
    ])
    const { traces } = rowsOf(spanOf({ attributes: harmful }))
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
    assert.match(traces[0]!.logs[0]!.metadata!, /"__proto__":"a"/)
  })

  it('with a huge list index costs nothing', () => {
    const attributes = {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.999999999.message.role': 'user',
      'llm.input_messages.999999999.message.content': 'second',
      'llm.input_messages.7.message.role': 'user',
      'llm.input_messages.7.message.content': 'first',
    }
    const { input } = rowsOf(spanOf({ attributes })).traces[0]!.logs[0]!
    assert.deepEqual(
      JSON.parse(input!).map((message: { parts: { content: string }[] }) => message.parts[0]!.content),
      ['first', 'second'],
    )
  })

  it('with JSON nested ten thousand levels deep keeps it as text', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const { input } = rowsOf(
      spanOf({ attributes: { 'input.value': deep, 'input.mime_type': 'application/json' } }),
    ).traces[0]!.logs[0]!
    assert.equal(JSON.parse(input!), deep)
  })

  it('in a chain of ten thousand is read', () => {
    const spans = Array.from({ length: 10_000 }, (_, index) =>
      spanOf({ spanId: `s${index}`, parentSpanId: index === 0 ? null : `s${index - 1}` }),
    )
    const { logs } = rowsOf(...spans).traces[0]!
    assert.equal(logs.length, 10_000)
    assert.equal(logs.at(-1)!.parentId, 's9998')
  })

  it('in a cycle of parents is read', () => {
    const { logs } = rowsOf(
      spanOf({ spanId: 'a', parentSpanId: 'b' }),
      spanOf({ spanId: 'b', parentSpanId: 'a' }),
      spanOf({ spanId: 'c', parentSpanId: 'c' }),
    ).traces[0]!
    assert.equal(logs.length, 3)
  })
})
