/** Names that newer releases of instrumentations added, each as that release sends it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

describe("an experiment item of Langfuse's SDK", () => {
  it('has the expected output as its ideal output, and its experiment and item', () => {
    const attributes = {
      'langfuse.experiment.name': 'shorter prompt',
      'langfuse.experiment.id': 'e1',
      'langfuse.experiment.dataset.id': 'd1',
      'langfuse.experiment.item.id': 'i1',
      'langfuse.experiment.item.expected_output': '{"city":"Lyon"}',
    }
    const { traces } = rowsOf(
      spanOf({ spanId: 'item', attributes }),
      spanOf({ spanId: 'task', parentSpanId: 'item', attributes }),
    )
    const { trace, logs } = traces[0]!
    assert.deepEqual([trace.idealOutput, logs[1]!.idealOutput], ['{"city":"Lyon"}', '{"city":"Lyon"}'])
    assert.deepEqual(JSON.parse(trace.metadata!).langfuse, {
      experimentName: 'shorter prompt',
      experimentId: 'e1',
      datasetId: 'd1',
      datasetItemId: 'i1',
    })
  })
})

describe('an MCP span', () => {
  it('that reads a resource has the URI as its input', () => {
    const read = { 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///notes.txt' }
    const { input, metadata } = logOf({ attributes: { ...read, 'jsonrpc.request.id': '7' } })
    assert.equal(input, 'file:///notes.txt')
    assert.equal(metadata.otel.notUnderstood, undefined)
  })
})

describe('an OpenLIT span', () => {
  it('has the values of a workflow, and the tokens written to the cache', () => {
    const { input, output } = logOf({
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.input': '{"city":"Lyon"}',
        'gen_ai.workflow.output': 'sunny',
      },
    })
    assert.deepEqual([input, output], [{ city: 'Lyon' }, 'sunny'])
    const { cacheWriteTokens, freshInputTokens } = logOf({
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.prompt_tokens_details.cache_creation_tokens': 30,
      },
    })
    assert.deepEqual([cacheWriteTokens, freshInputTokens], [30, 70])
  })
})
