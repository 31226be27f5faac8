import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { growthOf, linearGrowthMax } from '../../../testing/growth.ts'
import { rowsOf, spanOf } from '../../../testing/otlp-spans.ts'
import { logOfSpan } from './log-of-span.ts'
import { settleUsage } from './settle-usage.ts'
import type { Attributes } from './span.ts'

const traceOf = (...spans: readonly ReturnType<typeof spanOf>[]) => rowsOf(...spans).traces[0]!
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 }
const child = (attributes: Attributes, fields: Parameters<typeof spanOf>[0] = {}) =>
  spanOf({ parentSpanId: 'root', attributes, ...fields })

describe('a call that a framework and the client library report beside each other', () => {
  const messages = (text: string) =>
    JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }])
  const call = (scope: string, [startNs, endNs]: readonly [bigint, bigint], attributes: Attributes) =>
    child(
      { ...chat, 'gen_ai.output.messages': messages('18 degrees.'), ...attributes },
      {
        name: scope,
        spanId: `${scope} ${startNs}`,
        scope: { name: scope, version: '', attributes: {} },
        startNs,
        endNs,
      },
    )
  const framework = (times: readonly [bigint, bigint], attributes: Attributes = usage) =>
    call('langchain', times, attributes)
  const library = (times: readonly [bigint, bigint], attributes: Attributes = usage) =>
    call('openai', times, { 'gen_ai.response.id': `chatcmpl-${times[0]}`, ...attributes })
  const tokensOf = (...spans: readonly ReturnType<typeof spanOf>[]) =>
    traceOf(spanOf({ spanId: 'root' }), ...spans).trace.inputTokens

  it('counts once, although the framework names no response', () => {
    assert.equal(tokensOf(framework([10n, 90n]), library([20n, 80n])), 1000)
    // First one after the other, then at the same time.
    assert.equal(
      tokensOf(
        ...[framework([10n, 90n]), library([20n, 80n])],
        ...[framework([110n, 190n]), library([120n, 180n])],
      ),
      2000,
    )
    assert.equal(
      tokensOf(
        ...[framework([10n, 90n]), library([20n, 80n])],
        ...[framework([11n, 91n]), library([21n, 81n])],
      ),
      2000,
    )
  })

  it('counts with the numbers of the log that reports, not with an estimate of the other', () => {
    for (const [outer, inner] of [
      [usage, {}],
      [{}, usage],
    ] as const) {
      const { trace, logs } = traceOf(
        spanOf({ spanId: 'root' }),
        framework([10n, 90n], outer),
        library([20n, 80n], inner),
      )
      assert.deepEqual([trace.inputTokens, trace.outputTokens], [1000, 100])
      assert.equal(
        logs.filter(({ countsInTotals, type }) => type === 'generation' && countsInTotals).length,
        1,
      )
    }
  })

  it('counts as two if it is of one instrumentation, or has other numbers, another answer, or another time', () => {
    const two = [
      [framework([10n, 90n]), framework([20n, 80n])],
      [framework([10n, 90n]), library([20n, 80n], { ...usage, 'gen_ai.usage.output_tokens': 99 })],
      [framework([10n, 90n]), library([20n, 80n], { ...usage, 'gen_ai.output.messages': messages('19.') })],
      [framework([10n, 90n]), library([100n, 180n])],
    ]
    for (const [index, spans] of two.entries()) assert.equal(tokensOf(...spans), 2000, `${index}`)
  })
})

describe('a generation without usage beside one that reports it', () => {
  const silent = (attributes: Attributes) => {
    const { logs } = traceOf(
      spanOf({ spanId: 'root' }),
      child({ ...chat, ...usage }),
      child(attributes, { name: 'silent' }),
    )
    const { outputTokens, cost, tokensEstimated } = logs.find(({ name }) => name === 'silent')!
    return { outputTokens, hasCost: cost !== null, tokensEstimated }
  }

  it('gets the tokens of its answer counted, in any convention', () => {
    const message = JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'hello world' }] }])
    const answered: readonly Attributes[] = [
      { ...chat, 'gen_ai.output.messages': message },
      { 'plumbline.type': 'generation', 'plumbline.model': 'gpt-4o', 'plumbline.output': 'hello world' },
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.output': 'hello world',
      },
    ]
    for (const attributes of answered)
      assert.deepEqual(silent(attributes), { outputTokens: 2, hasCost: true, tokensEstimated: true })
    const { outputTokens } = silent({
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'output.value': '{"city":"Lyon"}',
      'output.mime_type': 'application/json',
    })
    assert.ok((outputTokens ?? 0) > 0)
  })

  it('is a helper that makes no call if it has no output, or only the request it prepared', () => {
    const helper = { 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-4o', 'input.value': 'hello' }
    const request = { messages: ['user: hello'], tools: [] }
    const nothing = { outputTokens: null, hasCost: false, tokensEstimated: false }
    assert.deepEqual(silent(helper), nothing)
    assert.deepEqual(
      silent({
        ...helper,
        'output.value': JSON.stringify(request),
        'output.mime_type': 'application/json',
      }),
      nothing,
    )
  })
})

describe('generations with the same response id', () => {
  const call = (startMs: number, endMs: number | null, fields: Parameters<typeof spanOf>[0] = {}) =>
    child(
      { ...chat, ...usage, 'gen_ai.response.id': 'chatcmpl-417' },
      {
        startNs: BigInt(startMs) * 1_000_000n,
        endNs: endMs === null ? null : BigInt(endMs) * 1_000_000n,
        ...fields,
      },
    )
  const inputTokens = (...calls: readonly ReturnType<typeof spanOf>[]) =>
    traceOf(spanOf({ spanId: 'root' }), ...calls).trace.inputTokens

  it('are one call if their times overlap or one is above the other', () => {
    assert.equal(inputTokens(call(0, 100), call(50, 150)), 1000)
    assert.equal(inputTokens(call(0, 100), call(20, 80)), 1000)
    assert.equal(inputTokens(call(0, null), call(50, 150)), 1000)
    assert.equal(inputTokens(call(0, 0), call(0, 0)), 1000)
    assert.equal(
      inputTokens(call(0, 100, { spanId: 'outer' }), call(200, 300, { parentSpanId: 'outer' })),
      1000,
    )
  })

  it('are separate calls if one follows the other, since local servers repeat their ids', () => {
    assert.equal(inputTokens(call(0, 100), call(500, 600)), 2000)
    assert.equal(inputTokens(call(0, 100), call(100, 200), call(120, 180)), 2000)
  })

  it('take linear time', () => {
    const logs = Array.from({ length: 16_000 }, (_, index) =>
      logOfSpan(call(index, index + 1), { parent: undefined, isRoot: false }),
    )
    assert.ok(growthOf((length) => settleUsage(logs.slice(0, length)), logs.length) < linearGrowthMax)
  })
})

describe('the cost of a call that several generations report', () => {
  const tokens = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 }
  const cost = { 'gen_ai.usage.cost': 0.25 }
  const answer = {
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: 'hello world' }] },
    ]),
  }
  const call = (name: string, attributes: Attributes, parentSpanId = 'root') =>
    spanOf({
      spanId: name,
      name,
      parentSpanId,
      attributes: { ...chat, 'gen_ai.response.id': 'chatcmpl-417', ...attributes },
    })
  const totalsOf = (...calls: readonly ReturnType<typeof spanOf>[]) => {
    const { trace, logs } = traceOf(spanOf({ spanId: 'root' }), ...calls)
    const { inputTokens, cost: total } = trace
    return { inputTokens, total, costs: Object.fromEntries(logs.map((log) => [log.name, log.costInTotals])) }
  }

  it('is kept if the log beside the counted one reports it, and marked as reported', () => {
    const { trace, logs } = traceOf(
      spanOf({ spanId: 'root' }),
      call('counted', { ...tokens, ...answer }),
      call('beside', { ...tokens, ...cost }),
    )
    assert.deepEqual([trace.inputTokens, trace.cost], [1000, 0.25])
    const counted = logs.find(({ name }) => name === 'counted')!
    assert.deepEqual([counted.cost, counted.costInTotals], [0.25, 0.25])
    assert.ok(counted.costEstimate !== null && counted.costEstimate !== 0.25)
    assert.deepEqual(JSON.parse(counted.costDetail!).total, counted.costEstimate)
    assert.deepEqual(JSON.parse(counted.metadata!).otel.flags, ['cost_of_repeated_call'])
    const otherLog = logs.find(({ name }) => name === 'beside')!
    assert.deepEqual([otherLog.cost, otherLog.countsInTotals, otherLog.costInTotals], [0.25, false, null])
  })

  it('is marked as reported even if it equals that of the price list', () => {
    const plain = traceOf(spanOf({ spanId: 'root' }), call('counted', tokens)).trace.cost!
    const { logs } = traceOf(
      spanOf({ spanId: 'root' }),
      call('counted', { ...tokens, ...answer }),
      call('beside', { ...tokens, 'gen_ai.usage.cost': plain }),
    )
    const { costDetail } = logs.find(({ name }) => name === 'counted')!
    assert.equal(JSON.parse(costDetail!).isReported, true)
  })

  it('is the counted log’s own if it reports one', () => {
    const { total } = totalsOf(
      call('counted', { ...tokens, ...answer, 'gen_ai.usage.cost': 0.5 }),
      call('beside', { ...tokens, ...cost }),
    )
    assert.equal(total, 0.5)
  })

  it('is that of the log around or inside it if no other reports one', () => {
    const byWrapper = totalsOf(call('around', { ...tokens, ...cost }), call('inside', tokens, 'around'))
    assert.deepEqual(byWrapper, {
      inputTokens: 1000,
      total: 0.25,
      costs: { work: null, around: 0.25, inside: 0 },
    })
    const byInner = totalsOf(call('around', tokens), call('inside', { ...tokens, ...cost }, 'around'))
    assert.deepEqual([byInner.inputTokens, byInner.total], [1000, 0.25])
  })

  it('is kept if the log around is repeated too', () => {
    const { inputTokens, total } = totalsOf(
      call('counted', { ...tokens, ...answer }),
      call('around', { ...tokens, ...cost }),
      call('inside', tokens, 'around'),
    )
    assert.deepEqual([inputTokens, total], [1000, 0.25])
  })

  it('counts once if one log reports the tokens and one the cost', () => {
    const { inputTokens, total } = totalsOf(call('beside', { ...answer, ...cost }), call('counted', tokens))
    assert.deepEqual([inputTokens, total], [1000, 0.25])
    const byWrapper = totalsOf(call('around', { ...answer, ...cost }), call('inside', tokens, 'around'))
    assert.deepEqual([byWrapper.inputTokens, byWrapper.total], [1000, 0.25])
  })
})
