/** How spans become traces: where they are cut, which span describes them, usage without repetitions, and sampling. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nothingResolved, rowsOf, spanOf, traceIdOf } from '../../../testing/otlp-spans.ts'
import { referencesOf } from './make-span-rows.ts'

const own = (attributes: Record<string, string | number | boolean | string[]>) => ({
  attributes: { 'basalt.in_trace': true, ...attributes },
})
const idsOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.traces.map(({ trace, logs }) => [trace.traceId, logs.map(({ logId }) => logId)])

describe('a trace', () => {
  it('consists of the spans below one root, each a log whose parent is in the same trace', () => {
    const { traces } = rowsOf(
      spanOf({ spanId: 'root', name: 'answer' }),
      spanOf({ spanId: 'child', parentSpanId: 'root', kind: 3 }),
      spanOf({ spanId: 'lost', parentSpanId: 'never' }),
    )
    const { trace, logs } = traces[0]!
    assert.equal(trace.name, 'answer')
    assert.deepEqual(
      logs.map(({ logId, parentId, type, position }) => [logId, parentId, type, position]),
      [
        ['root', null, 'span', 0],
        ['child', 'root', 'span', 1],
        ['lost', null, 'span', 2],
      ],
    )
  })

  it('does not take its values from a tool if a model calls it and does not record its messages', () => {
    const root = spanOf({ spanId: 'root' })
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
    const call = { 'gen_ai.tool.call.arguments': '{"city":"Lyon"}', 'gen_ai.tool.call.result': 'sunny' }
    const tool = { 'gen_ai.operation.name': 'execute_tool', ...call }
    const childOf = (spanId: string, parentSpanId: string, attributes: Record<string, string>) =>
      spanOf({ spanId, parentSpanId, attributes })
    const valuesOf = (...spans: ReturnType<typeof spanOf>[]) => {
      const { trace } = rowsOf(root, ...spans).traces[0]!
      return [trace.input, trace.output]
    }
    const silent = childOf('chat', 'root', chat)
    assert.deepEqual(valuesOf(silent, childOf('tool', 'root', tool)), [null, null])
    const messages = { ...chat, 'gen_ai.input.messages': '[{"role":"user","content":"Hot?"}]' }
    const [input] = valuesOf(childOf('tool', 'root', tool), childOf('chat', 'root', messages))
    assert.match(input!, /Hot\?/)
    // Retrieved documents are no output of the application, but the query may be what its user typed.
    const search = {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.query.text': 'heat',
      'gen_ai.retrieval.documents': '[{"id":"d1"}]',
    }
    assert.deepEqual(valuesOf(silent, childOf('search', 'root', search)), ['"heat"', null])
    // A tool that calls the model itself, such as that of an MCP server, and a tool without a model are the called unit.
    const whole = ['{"city":"Lyon"}', '"sunny"']
    assert.deepEqual(valuesOf(childOf('tool', 'root', tool), childOf('chat', 'tool', chat)), whole)
    assert.deepEqual(valuesOf(childOf('tool', 'root', tool)), whole)
    // An agent calls a model, even if nothing records that call.
    const agent = childOf('agent', 'root', { 'gen_ai.operation.name': 'invoke_agent' })
    assert.deepEqual(valuesOf(agent, childOf('tool', 'agent', tool)), [null, null])
  })

  it('is readable before its root arrives, and correct afterwards', () => {
    const root = spanOf({ spanId: 'root', name: 'root', attributes: { 'input.value': 'question' } })
    const step = spanOf({ spanId: 'step', parentSpanId: 'root', name: 'step' })
    const call = spanOf({
      spanId: 'call',
      parentSpanId: 'step',
      name: 'call',
      attributes: { 'input.value': 'asked' },
    })
    const early = rowsOf(call, step).traces[0]!
    assert.deepEqual([early.trace.name, early.trace.input], ['step', '"asked"'])
    const whole = rowsOf(call, root, step).traces[0]!
    assert.equal(whole.trace.traceId, early.trace.traceId)
    assert.deepEqual([whole.trace.name, whole.trace.input], ['root', '"question"'])
    assert.equal(whole.logs.find(({ logId }) => logId === 'step')!.parentId, 'root')
  })

  it('lasts from the first start to the last end, and is running while its root is', () => {
    const times = (startNs: bigint, endNs: bigint | null) => ({ startNs, endNs })
    const { trace } = rowsOf(
      spanOf({ spanId: 'root', ...times(5_000n, 9_000n) }),
      spanOf({ parentSpanId: 'root', ...times(3_000n, 20_500n) }),
    ).traces[0]!
    assert.deepEqual([trace.startUs, trace.endUs, trace.durationUs], [3n, 20n, 17n])
    assert.equal(rowsOf(spanOf({ endNs: null })).traces[0]!.trace.endUs, null)
  })

  it('keeps the end of a span as it was sent, and warns if it is before the start', () => {
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'root', name: 'root', startNs: 5_000n, endNs: 9_000n }),
      spanOf({ spanId: 'skewed', name: 'skewed', parentSpanId: 'root', startNs: 7_000n, endNs: 6_000n }),
    ).traces[0]!
    const sentence = 'The span "skewed" (skewed) ends before it starts; it is stored with these times.'
    assert.deepEqual([trace.startUs, trace.endUs, trace.warning], [5n, 9n, sentence])
    assert.deepEqual(
      logs.map(({ startUs, endUs, durationUs }) => [startUs, endUs, durationUs]),
      [
        [5n, 9n, 4n],
        [7n, 6n, null],
      ],
    )
    const { trace: reversed } = rowsOf(spanOf({ startNs: 7_000n, endNs: 6_000n })).traces[0]!
    assert.deepEqual([reversed.startUs, reversed.endUs, reversed.durationUs], [7n, 6n, null])
    assert.match(reversed.warning ?? '', /ends before it starts/)
  })

  it('warns of impossible numbers as for a trace sent over REST, and leaves them out of its sums', () => {
    const usage = (inputTokens: number | bigint, cost: number) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': 1,
      'gen_ai.usage.cost': cost,
    })
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'root' }),
      spanOf({ spanId: 'huge', name: 'chat', parentSpanId: 'root', attributes: usage(2n ** 60n, 1) }),
      spanOf({ spanId: 'paid', name: 'chat', parentSpanId: 'root', attributes: usage(5, -1) }),
      spanOf({ spanId: 'right', name: 'chat', parentSpanId: 'root', attributes: usage(7, 0.25) }),
    ).traces[0]!
    assert.deepEqual([trace.inputTokens, trace.cost, logs.length], [7, 0.25, 4])
    assert.match(
      trace.warning ?? '',
      /In the span "chat" \(huge\), inputTokens cannot be 1152921504606847000;/,
    )
    assert.match(trace.warning ?? '', /In the span "chat" \(paid\), cost cannot be -1;/)
    assert.doesNotMatch(trace.warning ?? '', /right/)
  })

  it('of our own clients is cut at each further root; spans above or beside it stay in the first trace', () => {
    const rows = rowsOf(
      spanOf({ spanId: 'http', kind: 2 }),
      spanOf({ spanId: 'main', parentSpanId: 'http', name: 'main', ...own({ 'basalt.root': true }) }),
      spanOf({ spanId: 'inner', parentSpanId: 'main', ...own({}) }),
      spanOf({ spanId: 'nested', parentSpanId: 'inner', name: 'nested', ...own({ 'basalt.root': 'true' }) }),
      spanOf({ spanId: 'below', parentSpanId: 'nested' }),
      spanOf({ spanId: 'second', parentSpanId: 'http', name: 'second', ...own({ 'basalt.root': true }) }),
    )
    assert.deepEqual(idsOf(rows), [
      [traceIdOf(null), ['http', 'main', 'inner']],
      [traceIdOf('nested'), ['nested', 'below']],
      [traceIdOf('second'), ['second']],
    ])
    assert.deepEqual(
      rows.traces.map(({ trace }) => trace.name),
      ['main', 'nested', 'second'],
    )
    assert.equal(rows.traces[1]!.logs[0]!.parentId, null)
  })

  it('has the output of its last log, not the vectors of a later embedding', () => {
    const { trace } = rowsOf(
      spanOf({ spanId: 'root', name: 'root' }),
      spanOf({
        spanId: 'answer',
        parentSpanId: 'root',
        endNs: 20n,
        attributes: { 'output.value': 'forty-two' },
      }),
      spanOf({
        spanId: 'embed',
        parentSpanId: 'root',
        endNs: 30n,
        attributes: {
          'openinference.span.kind': 'EMBEDDING',
          'embedding.embeddings.0.embedding.text': 'forty-two',
          'embedding.embeddings.0.embedding.vector': '[0.1, 0.2]',
        },
      }),
    ).traces[0]!
    assert.equal(trace.output, '"forty-two"')
  })

  it('takes input and output from a marked span above its root if the root has none', () => {
    const { trace } = rowsOf(
      spanOf({ spanId: 'above', ...own({ 'basalt.span.input': 'in', 'basalt.span.output': 'out' }) }),
      spanOf({ spanId: 'root', parentSpanId: 'above', ...own({ 'basalt.root': true }) }),
    ).traces[0]!
    assert.deepEqual([trace.input, trace.output], ['"in"', '"out"'])
  })

  it('is not created for bookkeeping of the clients alone, but contains it', () => {
    const fetchPrompt = { name: 'basalt.prompt.get', ...own({ 'basalt.root': true }) }
    const request = {
      name: 'request',
      attributes: { 'basalt.metadata': JSON.stringify({ 'basalt.internal.api': true }) },
    }
    assert.deepEqual(
      rowsOf(
        spanOf({ spanId: 'get', ...fetchPrompt }),
        spanOf({ parentSpanId: 'get', ...request }),
        spanOf({ ...request }),
        spanOf({ parentSpanId: 'get', name: 'GET', kind: 3 }),
      ).traces,
      [],
    )
    const { logs } = rowsOf(
      spanOf({ spanId: 'root', ...own({ 'basalt.root': true }) }),
      spanOf({ spanId: 'get', parentSpanId: 'root', ...fetchPrompt }),
    ).traces[0]!
    assert.deepEqual(
      logs.map(({ logId }) => logId),
      ['root', 'get'],
    )
  })
})

describe('the totals of a trace', () => {
  const usage = (input: number, output: number) => ({
    attributes: {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
    },
  })
  const agent = { 'gen_ai.operation.name': 'invoke_agent' }

  it('leave out a span whose descendants report usage; its own numbers are shown, and a mismatch is flagged', () => {
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'agent', attributes: { ...usage(150, 10).attributes, ...agent } }),
      spanOf({ parentSpanId: 'agent', ...usage(60, 4) }),
      spanOf({ parentSpanId: 'agent', ...usage(40, 6) }),
    ).traces[0]!
    assert.deepEqual([trace.inputTokens, trace.outputTokens], [100, 10])
    assert.deepEqual([logs[0]!.type, logs[0]!.inputTokens, logs[0]!.countsInTotals], ['span', 150, false])
    assert.deepEqual(JSON.parse(logs[0]!.metadata!).otel.flags, ['usage_differs_from_children'])
  })

  it('have the cost that an agent reports and the tokens of its calls', () => {
    const { trace, logs } = rowsOf(
      spanOf({
        spanId: 'agent',
        attributes: { ...agent, 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.cost': 0.5 },
      }),
      spanOf({ parentSpanId: 'agent', ...usage(60, 4) }),
    ).traces[0]!
    assert.deepEqual([trace.inputTokens, trace.cost], [60, 0.5])
    assert.deepEqual(
      logs.map((log) => log.costInTotals),
      [0.5, 0],
    )
  })

  it('include an agent that alone reports usage', () => {
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'agent', attributes: { ...usage(150, 10).attributes, ...agent } }),
      spanOf({ parentSpanId: 'agent' }),
    ).traces[0]!
    assert.deepEqual([trace.inputTokens, trace.models], [150, ['gpt-4o']])
    assert.ok(trace.cost! > 0)
    assert.equal(JSON.parse(logs[0]!.metadata!).otel.flags, undefined)
  })

  it('get no flag if the sums agree', () => {
    const { logs } = rowsOf(
      spanOf({ spanId: 'agent', attributes: { ...usage(1000, 0).attributes, ...agent } }),
      spanOf({ parentSpanId: 'agent', ...usage(995, 0) }),
    ).traces[0]!
    assert.equal(JSON.parse(logs[0]!.metadata!).otel.flags, undefined)
  })
})

describe('tokens', () => {
  const logWith = (attributes: Record<string, number | string>) =>
    rowsOf(
      spanOf({
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', ...attributes },
      }),
    ).traces[0]!.logs[0]!
  const buckets = (log: ReturnType<typeof logWith>) => [
    log.freshInputTokens,
    log.cacheReadTokens,
    log.cacheWriteTokens,
    log.textOutputTokens,
    log.reasoningTokens,
  ]

  it('are in disjoint buckets: the input includes the cache, the output the reasoning', () => {
    const log = logWith({
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation_input_tokens': 10,
      'gen_ai.usage.output_tokens': 50,
      'gen_ai.usage.reasoning.output_tokens': 20,
    })
    assert.deepEqual(buckets(log), [30, 60, 10, 30, 20])
  })

  it('with a cache larger than the input leave the cache out of it, with a flag', () => {
    const log = logWith({
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.cache_read_input_tokens': 900,
      'gen_ai.usage.output_tokens': 1,
    })
    assert.deepEqual(buckets(log), [7, 900, 0, 1, 0])
    assert.deepEqual(JSON.parse(log.metadata!).otel.flags, ['cache_outside_input'])
  })

  it('are read from texts and from integers beyond doubles', () => {
    assert.equal(logWith({ 'gen_ai.usage.input_tokens': '12' }).inputTokens, 12)
  })

  it('that are absent are counted, as are zeros of a model that responded', () => {
    const completion = {
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'hello world',
    }
    assert.deepEqual([logWith(completion).outputTokens, logWith(completion).tokensEstimated], [2, true])
    const zeros = logWith({ ...completion, 'gen_ai.usage.input_tokens': 0, 'gen_ai.usage.output_tokens': 0 })
    assert.deepEqual([zeros.outputTokens, zeros.tokensEstimated], [2, true])
    assert.deepEqual(JSON.parse(zeros.metadata!).otel.flags, ['usage_reported_as_zero'])
  })
})

describe('a failed span', () => {
  const errorOf = (fields: Parameters<typeof spanOf>[0]) => {
    const { logs, trace } = rowsOf(spanOf(fields)).traces[0]!
    return [logs[0]!.hasError, trace.errors, JSON.parse(logs[0]!.metadata!).error]
  }
  const exception = {
    name: 'exception',
    timeNs: 1n,
    attributes: { 'exception.type': 'TimeoutError', 'exception.message': 'too late' },
  }

  it('is a span with an error status, an error type or an exception', () => {
    assert.deepEqual(errorOf({ status: { code: 2, message: 'no' } }), [true, 1, { message: 'no' }])
    assert.deepEqual(errorOf({ attributes: { 'error.type': '500' } }), [true, 1, { type: '500' }])
    const both = { type: 'TimeoutError', message: 'too late' }
    assert.deepEqual(errorOf({ events: [exception] }), [true, 1, both])
    assert.deepEqual(errorOf({ events: [exception], status: { code: 2, message: '' } }), [true, 1, both])
  })

  it('is no span that succeeded in the end', () => {
    assert.deepEqual(errorOf({ events: [exception], status: { code: 1, message: '' } }), [
      false,
      0,
      undefined,
    ])
  })

  it('keeps the error that the application itself reported', () => {
    const attributes = { 'basalt.metadata': '{"error":"quota"}' }
    assert.deepEqual(errorOf({ attributes, status: { code: 2, message: 'no' } }), [true, 1, 'quota'])
  })
})

describe('sampling', () => {
  const readSampling = (
    attributes: Record<string, string | number | boolean | string[]>,
    resolution = {},
  ) => {
    const { trace } = rowsOf(
      spanOf({ ...own(attributes), references: { ...nothingResolved, ...resolution } }),
    ).traces[0]!
    return [trace.sampled, trace.sampleRate]
  }

  it("honors the client's own decision over every rate", () => {
    const rates = { evaluatorRates: { tone: 1 } }
    assert.deepEqual(
      readSampling({ 'basalt.span.should_evaluate': false, 'basalt.span.evaluators': ['tone'] }, rates),
      [false, 1],
    )
    assert.deepEqual(readSampling({ 'basalt.span.should_evaluate': 'true' }), [true, null])
  })

  it('otherwise follows the sent rate, the experiment, or the evaluators', () => {
    const evaluators = { 'basalt.span.evaluators': ['tone'] }
    assert.deepEqual(readSampling({ 'basalt.span.evaluation.config': '{"sample_rate":1}', ...evaluators }), [
      true,
      1,
    ])
    assert.deepEqual(readSampling({ 'basalt.span.evaluation.sample_rate': 0, ...evaluators }), [false, 0])
    assert.deepEqual(readSampling({ 'basalt.span.evaluation.config.sample_rate': 1, ...evaluators }), [
      true,
      1,
    ])
    assert.deepEqual(readSampling(evaluators, { experimentId: 'e' }), [true, 1])
    assert.deepEqual(readSampling(evaluators, { evaluatorRates: { tone: 1 } }), [true, 1])
  })
})

describe('the references of a span', () => {
  it('are the feature, experiment, prompt and evaluators that it names', () => {
    const attributes = {
      'basalt.span.feature_slug': 'support',
      'basalt.experiment.id': 'e1',
      'basalt.prompt.slug': 'greet',
      'basalt.prompt.version': '1.0.0',
      'basalt.span.evaluators': ['tone', 'safety'],
    }
    assert.deepEqual(referencesOf(spanOf({ attributes })), {
      featureSlug: 'support',
      experimentId: 'e1',
      prompt: { slug: 'greet', version: '1.0.0' },
      evaluators: ['tone', 'safety'],
    })
    assert.equal(referencesOf(spanOf({ attributes: { 'gen_ai.request.model': 'gpt-4o' } })), undefined)
  })

  it('are stored as they were resolved, with warnings of the trace', () => {
    const references = {
      featureSlug: 'support',
      experimentId: null,
      prompt: { slug: 'greet', version: '1.0.0', provider: 'open-ai', model: 'gpt-4o' },
      evaluatorRates: {},
      warnings: ['No evaluator has the slug "tone".'],
    }
    const attributes = {
      'basalt.span.kind': 'generation',
      'basalt.prompt.slug': 'greet',
      'basalt.span.variables': '{"name":"Ada"}',
    }
    const { trace, logs } = rowsOf(spanOf({ attributes, references })).traces[0]!
    const { model, provider, promptSlug, promptVersion, variables, prompt } = logs[0]!
    assert.deepEqual([model, provider, promptSlug, promptVersion], ['gpt-4o', 'open-ai', 'greet', '1.0.0'])
    assert.deepEqual([variables, prompt], ['[{"label":"name","value":"Ada"}]', '{"slug":"greet"}'])
    assert.deepEqual([trace.featureSlug, trace.warning], ['support', 'No evaluator has the slug "tone".'])
    assert.deepEqual(trace.prompts, [{ slug: 'greet', version: '1.0.0' }])
  })
})

describe('scores of an application', () => {
  it('are read from evaluation events and from annotations, with stable ids', () => {
    const span = spanOf({
      attributes: { 'annotations.0.annotation.name': 'relevant', 'annotations.0.annotation.label': 'true' },
      events: [
        {
          name: 'gen_ai.evaluation.result',
          timeNs: 1_700_000_000_000_000_000n,
          attributes: {
            'gen_ai.evaluation.name': 'Relevance',
            'gen_ai.evaluation.score.value': 0.9,
            'gen_ai.evaluation.explanation': 'On topic.',
          },
        },
      ],
    })
    const { scores } = rowsOf(span)
    assert.deepEqual(
      scores.map(({ name, value, comment, logId }) => [name, value, comment, logId]),
      [
        ['Relevance', 0.9, 'On topic.', span.spanId],
        ['relevant', true, null, span.spanId],
      ],
    )
    assert.equal(scores[0]!.createdAtMs, 1_700_000_000_000)
    assert.deepEqual(rowsOf(span).scores, scores)
  })

  const evaluation = (name: string, timeMs: number, attributes: Record<string, number | string>) => ({
    name: 'gen_ai.evaluation.result',
    timeNs: BigInt(timeMs) * 1_000_000n,
    attributes: { 'gen_ai.evaluation.name': name, ...attributes },
  })
  const idsOf = (span: ReturnType<typeof spanOf>) =>
    rowsOf(span).scores.map(({ scoreId, name, value }) => [name, value, scoreId])

  it('keep their ids if an earlier event arrives later', () => {
    const span = spanOf()
    const late = evaluation('toxicity', 500, { 'gen_ai.evaluation.score.value': 0.1 })
    const early = evaluation('relevance', 400, { 'gen_ai.evaluation.score.value': 0.9 })
    const earlier = evaluation('toxicity', 300, { 'gen_ai.evaluation.score.value': 0.1 })
    const [first] = idsOf({ ...span, events: [late] })
    const all = idsOf({ ...span, events: [earlier, early, late] })
    assert.deepEqual(all.at(-1), first)
    assert.equal(new Set(all.map(([, , id]) => id)).size, 3)
    const twice = idsOf({ ...span, events: [late, late] })
    assert.equal(new Set(twice.map(([, , id]) => id)).size, 2)
  })

  it('with a value and a label have both', () => {
    const { scores } = rowsOf(
      spanOf({
        events: [
          evaluation('toxicity', 1, {
            'gen_ai.evaluation.score.value': 0.1,
            'gen_ai.evaluation.score.label': 'pass',
            'gen_ai.evaluation.explanation': 'Fine.',
          }),
          evaluation('tone', 2, {
            'gen_ai.evaluation.score.value': 1,
            'gen_ai.evaluation.score.label': 'kind',
          }),
          evaluation('length', 3, { 'gen_ai.evaluation.score.label': 'short' }),
        ],
      }),
    )
    assert.deepEqual(
      scores.map(({ name, value, comment }) => [name, value, comment]),
      [
        ['toxicity', 0.1, 'pass: Fine.'],
        ['tone', 1, 'kind'],
        ['length', 'short', null],
      ],
    )
  })
})

describe('attributes that no convention understands', () => {
  it('are counted by name, regardless of list indexes', () => {
    const attributes = {
      'acme.step.0.cost': 1,
      'acme.step.17.cost': 1,
      'acme.mood': 'good',
      'http.method': 'GET',
    }
    assert.deepEqual(rowsOf(spanOf({ attributes })).notUnderstood, { 'acme.step.N.cost': 2, 'acme.mood': 1 })
  })
})
