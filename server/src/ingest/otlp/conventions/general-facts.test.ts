import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'
import type { ReceivedSpan } from '../span.ts'

const traceOf = (...spans: readonly ReceivedSpan[]) => {
  const { environment, release, tags, sessionId } = rowsOf(...spans).traces[0]!.trace
  return { environment, release, tags, sessionId }
}

describe('a trace of spans', () => {
  it('has the environment and the release of the resource, preferring the newer names', () => {
    const resource = { 'deployment.environment': 'staging', 'service.version': '1.2.0' }
    assert.deepEqual(traceOf(spanOf({ resource })), {
      environment: 'staging',
      release: '1.2.0',
      tags: [],
      sessionId: null,
    })
    const newer = { ...resource, 'deployment.environment.name': 'production' }
    assert.equal(traceOf(spanOf({ resource: newer })).environment, 'production')
  })

  it('prefers the facts of its spans to those of the process, starting with the root', () => {
    const resource = { 'deployment.environment.name': 'production', 'service.version': '1' }
    const root = spanOf({ resource })
    const attributes = {
      'langfuse.environment': 'eu',
      'langfuse.release': '2',
      'langfuse.trace.tags': ['a', 'b'],
      'session.id': 's',
    }
    assert.deepEqual(traceOf(spanOf({ resource, attributes })), {
      environment: 'eu',
      release: '2',
      tags: ['a', 'b'],
      sessionId: 's',
    })
    // A child is used if the root does not have the fact.
    const child = spanOf({ parentSpanId: root.spanId, attributes })
    assert.deepEqual(traceOf(root, child), {
      environment: 'production',
      release: '1',
      tags: ['a', 'b'],
      sessionId: 's',
    })
  })

  it('has tags from a list, from JSON text and from one word', () => {
    const tags = (value: string | readonly (string | number)[]) =>
      traceOf(spanOf({ attributes: { 'tag.tags': value } })).tags
    assert.deepEqual(tags(['x', 3, 'y']), ['x', '3', 'y'])
    assert.deepEqual(tags('["x","y"]'), ['x', 'y'])
    assert.deepEqual(tags('x'), ['x'])
  })
})

describe('the time to the first token', () => {
  const generation = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
  const timeOf = (attributes: object, startNs = 1_760_000_000_000_000_000n) =>
    logOf({ startNs, attributes: { ...generation, ...attributes } }).timeToFirstTokenMs

  it('is in seconds in OpenTelemetry, in milliseconds in the AI SDK, and a time in Langfuse', () => {
    assert.equal(timeOf({ 'gen_ai.response.time_to_first_chunk': 0.25 }), 250)
    assert.equal(timeOf({ 'gen_ai.client.operation.time_to_first_chunk': 0.5 }), 500)
    assert.equal(timeOf({ 'llm.time_to_first_token': 2 }), 2)
    assert.equal(timeOf({ 'ai.response.msToFirstChunk': 310.5 }), 310.5)
    const began = '"2025-10-09T08:53:20.125Z"'
    assert.equal(timeOf({ 'langfuse.observation.completion_start_time': began }), 125)
    assert.equal(timeOf({ 'langfuse.observation.completion_start_time': 'soon' }), null)
    assert.equal(timeOf({}), null)
  })

  it('on a server is in seconds, but in milliseconds in Strands', () => {
    const timeWith = (scopeName: string, time: number) =>
      logOf({
        scope: { name: scopeName, version: '1', attributes: {} },
        attributes: { ...generation, 'gen_ai.server.time_to_first_token': time },
      }).timeToFirstTokenMs
    assert.equal(timeWith('openlit.instrumentation.openai', 0.25), 250)
    assert.equal(timeWith('strands.telemetry.tracer', 250), 250)
  })

  it('is a field of generations only', () => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'ai.response.msToFirstChunk': 5 }
    assert.equal(logOf({ attributes }).timeToFirstTokenMs, null)
  })
})
