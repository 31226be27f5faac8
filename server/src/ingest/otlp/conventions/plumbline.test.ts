import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'
import { referencesOf } from '../references.ts'

describe('a span with plumbline.* attributes', () => {
  it('has values as JSON text; a text without quotes is used as it is', () => {
    const inputOf = (input: string | number) => logOf({ attributes: { 'plumbline.input': input } }).input
    assert.deepEqual(inputOf('{"question":"why"}'), { question: 'why' })
    assert.equal(inputOf('why'), 'why')
    assert.equal(inputOf('42'), '42')
    assert.equal(inputOf('"{}"'), '{}')
    assert.equal(inputOf('"why" she said'), '"why" she said')
    assert.equal(inputOf('{not JSON'), '{not JSON')
  })

  it('is a generation with the values of the application, which take precedence over every other convention', () => {
    const log = logOf({
      attributes: {
        'plumbline.type': 'generation',
        'plumbline.input': '[{"role":"user","content":"Hi"}]',
        'plumbline.output': 'Hello',
        'plumbline.model': 'gpt-4o',
        'plumbline.provider': 'open-ai',
        'plumbline.usage.input_tokens': 12,
        'plumbline.usage.output_tokens': 3,
        'plumbline.metadata': '{"plan":"pro"}',
        'plumbline.metadata.seats': 3,
        'openinference.span.kind': 'TOOL',
        'input.value': 'theirs',
      },
    })
    assert.deepEqual(
      [log.type, log.input, log.output, log.model, log.provider, log.inputTokens, log.outputTokens],
      ['generation', [{ role: 'user', content: 'Hi' }], 'Hello', 'gpt-4o', 'open-ai', 12, 3],
    )
    assert.deepEqual([log.metadata.plan, log.metadata.seats], ['pro', 3])
    assert.equal(log.metadata.otel.notUnderstood, undefined)
  })

  it('describes the trace: its user, where and in what it ran, and how it is found', () => {
    const { trace } = rowsOf(
      spanOf({
        spanId: 'root',
        attributes: {
          'plumbline.user.id': 'u1',
          'plumbline.organization.id': 'o1',
          'plumbline.organization.name': 'Acme',
          'plumbline.session': 's1',
          'plumbline.environment': 'production',
          'plumbline.release': '1.2.3',
          'plumbline.tags': ['a', 'b', 'a'],
        },
      }),
      spanOf({
        parentSpanId: 'root',
        attributes: { 'plumbline.trace.name': 'Checkout', 'plumbline.trace.output': 'In Lyon.' },
      }),
    ).traces[0]!
    assert.deepEqual(
      [trace.userId, trace.userName, trace.organizationName, trace.sessionId, trace.environment],
      ['u1', 'u1', 'Acme', 's1', 'production'],
    )
    assert.deepEqual(
      [trace.release, trace.tags, trace.name, trace.output],
      ['1.2.3', ['a', 'b'], 'Checkout', '"In Lyon."'],
    )
  })

  it('names its feature, experiment, prompt and evaluators', () => {
    const attributes = {
      'plumbline.feature': 'support',
      'plumbline.experiment': 'e1',
      'plumbline.prompt': 'greeting',
      'plumbline.prompt.tag': 'staging',
      'plumbline.user.id': 'u1',
      'plumbline.evaluators': ['tone'],
    }
    assert.deepEqual(referencesOf(spanOf({ attributes })), {
      featureSlug: 'support',
      experimentId: 'e1',
      prompt: { slug: 'greeting', tag: 'staging' },
      userId: 'u1',
      evaluators: ['tone'],
    })
  })
})
