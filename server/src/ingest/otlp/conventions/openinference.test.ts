import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

const kind = (name: string) => ({ 'openinference.span.kind': name })

describe('an OpenInference span', () => {
  it('has its own kind, which takes precedence over others', () => {
    const typeOf = (name: string) =>
      logOf({ attributes: { ...kind(name), 'gen_ai.operation.name': 'chat', 'traceloop.span.kind': 'tool' } })
        .type
    assert.deepEqual(['LLM', 'EMBEDDING'].map(typeOf), ['generation', 'generation'])
    assert.deepEqual(['RETRIEVER', 'RERANKER', 'TOOL'].map(typeOf), ['retrieval', 'retrieval', 'tool'])
    for (const name of ['AGENT', 'CHAIN', 'GUARDRAIL', 'EVALUATOR', 'PROMPT'])
      assert.equal(typeOf(name), 'span')
  })

  it('has messages with several contents, including images', () => {
    const prefix = 'llm.input_messages.0.message.'
    const { input } = logOf({
      attributes: {
        ...kind('LLM'),
        [`${prefix}role`]: 'user',
        [`${prefix}contents.0.message_content.type`]: 'text',
        [`${prefix}contents.0.message_content.text`]: 'What is this?',
        [`${prefix}contents.1.message_content.type`]: 'image',
        [`${prefix}contents.1.message_content.image.image.url`]: 'data:image/png;base64,AAAA',
        [`${prefix}contents.2.message_content.type`]: 'image',
        [`${prefix}contents.2.message_content.image.image.url`]: 'https://example.com/cat.png',
      },
    })
    assert.deepEqual(input[0].parts, [
      { type: 'text', content: 'What is this?' },
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
      { type: 'uri', modality: 'image', uri: 'https://example.com/cat.png' },
    ])
  })

  it('has its tokens, cached and reasoning tokens separately, and its reported cost', () => {
    const log = logOf({
      attributes: {
        ...kind('LLM'),
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 100,
        'llm.token_count.prompt_details.cache_read': 80,
        'llm.token_count.completion': 20,
        'llm.token_count.completion_details.reasoning': 15,
        'llm.cost.total': 0.5,
      },
    })
    assert.deepEqual([log.inputTokens, log.freshInputTokens, log.cacheReadTokens], [100, 20, 80])
    assert.deepEqual(
      [log.outputTokens, log.textOutputTokens, log.reasoningTokens, log.cost],
      [20, 5, 15, 0.5],
    )
  })

  it('has the sum of its costs if it only reports them separately', () => {
    const parts = { 'llm.cost.prompt': 0.25, 'llm.cost.completion': 0.5 }
    assert.equal(logOf({ attributes: { ...kind('LLM'), ...parts } }).cost, 0.75)
    assert.equal(logOf({ attributes: { ...kind('LLM'), 'llm.cost.prompt': 0.25 } }).cost, 0.25)
    assert.equal(logOf({ attributes: { ...kind('LLM'), ...parts, 'llm.cost.total': 2 } }).cost, 2)
  })

  it('of a decision is a model call, with its tokens', () => {
    const log = logOf({
      attributes: {
        ...kind('DECISION'),
        'decision.system': 'openai',
        'decision.provider': 'azure',
        'decision.request.model_name': 'gpt-4o-latest',
        'decision.response.model_name': 'gpt-4o',
        'decision.token_count.input': 200,
        'decision.token_count.output': 3,
        'input.value': 'Is it a refund?',
        'output.value': '{"refund":0.9}',
        'output.mime_type': 'application/json',
      },
    })
    assert.deepEqual(
      [log.type, log.model, log.provider, log.inputTokens, log.outputTokens],
      ['generation', 'gpt-4o', 'azure', 200, 3],
    )
    assert.equal(log.tokensEstimated, false)
  })

  it('has the images and documents beside its values', () => {
    const { input, output } = logOf({
      attributes: {
        ...kind('LLM'),
        'input.value': 'Draw what it says.',
        'input.documents.0.document.url': 'https://example.com/a.pdf',
        'input.documents.0.document.mime_type': 'application/pdf',
        'output.images.0.image.url': 'https://example.com/a.png',
        'output.images.1.image.url': 'data:image/png;base64,AAAA',
      },
    })
    assert.deepEqual(input, [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'Draw what it says.' },
          {
            type: 'uri',
            modality: 'file',
            mime_type: 'application/pdf',
            uri: 'https://example.com/a.pdf',
          },
        ],
      },
    ])
    assert.deepEqual(output, [
      {
        role: 'assistant',
        parts: [
          { type: 'uri', modality: 'image', uri: 'https://example.com/a.png' },
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
        ],
      },
    ])
  })

  it('of a stream without an answer has no output tokens', () => {
    // As its Go instrumentation reports streams.
    const attributes = {
      ...kind('LLM'),
      'llm.model_name': 'gpt-4o-mini',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'What is the weather in Lyon?',
    }
    const log = logOf({ attributes })
    assert.deepEqual([log.inputTokens, log.outputTokens, log.tokensEstimated], [7, null, true])
    assert.equal(log.output, null)
  })

  it('has values that are JSON or text, as their type states', () => {
    const inputOf = (value: string, mime: string) =>
      logOf({ attributes: { 'input.value': value, 'input.mime_type': mime } }).input
    assert.deepEqual(inputOf('{"at":1}', 'application/json'), { at: 1 })
    assert.equal(inputOf('"said"', 'application/json'), 'said')
    assert.equal(inputOf('{"at":1}', 'text/plain'), '{"at":1}')
    assert.equal(inputOf('{broken', 'application/json'), '{broken')
  })

  it('of a retriever has the documents, with parsed metadata', () => {
    const prefix = 'retrieval.documents.0.document.'
    const { input, output } = logOf({
      attributes: {
        ...kind('RETRIEVER'),
        'input.value': 'cats',
        [`${prefix}id`]: 'd1',
        [`${prefix}content`]: 'Cats sleep.',
        [`${prefix}score`]: 0.7,
        [`${prefix}metadata`]: '{"page":2}',
        'output.value': '[{"id":"d1"}]',
      },
    })
    assert.deepEqual(input, 'cats')
    assert.deepEqual(output, [{ id: 'd1', content: 'Cats sleep.', score: 0.7, metadata: { page: 2 } }])
  })

  it('of an embedding has the texts and the vectors, and no output tokens', () => {
    const { input, output, outputTokens, model } = logOf({
      attributes: {
        ...kind('EMBEDDING'),
        'embedding.model_name': 'text-embedding-3-small',
        'embedding.embeddings.0.embedding.text': 'a cat',
        'embedding.embeddings.0.embedding.vector': [0.1, 0.2],
      },
    })
    assert.deepEqual([input, output, outputTokens], ['a cat', [[0.1, 0.2]], 0])
    assert.equal(model, 'text-embedding-3-small')
  })

  it('has metadata, tags, user, session and the variables of its template', () => {
    const { trace, logs } = rowsOf(
      spanOf({
        attributes: {
          ...kind('LLM'),
          metadata: '{"plan":"pro"}',
          'tag.tags': ['a', 'b'],
          'user.id': 'u1',
          'session.id': 's1',
          'llm.prompt_template.variables': '{"name":"Ada"}',
          'llm.invocation_parameters': '{"temperature":0}',
        },
      }),
    ).traces[0]!
    const { plan, tags, parameters } = JSON.parse(logs[0]!.metadata!)
    assert.deepEqual([plan, tags, parameters], ['pro', ['a', 'b'], { temperature: 0 }])
    assert.deepEqual([trace.userId, trace.sessionId], ['u1', 's1'])
    assert.equal(logs[0]!.variables, '[{"label":"name","value":"Ada"}]')
  })

  // otlp, findings 4 and 9
  it('contains each text and each tool call once, and no empty metadata', () => {
    const { output, metadata } = logOf({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Look.',
        'llm.output_messages.0.message.contents.0.message_content.type': 'text',
        'llm.output_messages.0.message.contents.0.message_content.text': 'Look.',
        'llm.output_messages.0.message.contents.1.message_content.type': 'tool_use',
        'llm.output_messages.0.message.contents.1.tool_call.id': 'c1',
        'llm.output_messages.0.message.contents.1.tool_call.function.name': 'look',
        'llm.output_messages.0.message.contents.1.tool_call.function.arguments': '{"at":1}',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"at":1}',
        'metadata.team': 'blue',
        'metadata.user_agent': '',
      },
    })
    assert.deepEqual(output[0].parts, [
      { type: 'text', content: 'Look.' },
      { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 1 } },
    ])
    assert.deepEqual([metadata.team, 'user_agent' in metadata], ['blue', false])
  })

  it('has scores for itself, its trace, its session, or a span of its trace that it links to', () => {
    const annotation = (prefix: string, name: string) => ({
      [`${prefix}.0.annotation.name`]: name,
      [`${prefix}.0.annotation.score`]: 1,
    })
    const { scores } = rowsOf(
      spanOf({
        spanId: 'root',
        attributes: {
          'session.id': 's1',
          ...annotation('annotations', 'correct'),
          // The same result in both forms.
          'evaluations.0.evaluation.name': 'correct',
          'evaluations.0.evaluation.score': 1,
          ...annotation('trace.annotations', 'useful'),
          ...annotation('session.annotations', 'polite'),
        },
      }),
      spanOf({ spanId: 'answer', parentSpanId: 'root' }),
      spanOf({
        spanId: 'judge',
        parentSpanId: 'root',
        attributes: { ...kind('EVALUATOR'), ...annotation('annotations', 'grounded') },
        links: [{ traceId: 'a'.repeat(32), spanId: 'answer', attributes: {} }],
      }),
    )
    assert.deepEqual(
      scores.map(({ name, logId, sessionId }) => [name, logId, sessionId]),
      [
        ['correct', 'root', null],
        ['useful', null, null],
        ['polite', null, 's1'],
        ['grounded', 'answer', null],
      ],
    )
  })
})
