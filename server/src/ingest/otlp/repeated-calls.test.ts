/** Two instrumentations of one call, as REST returns them. */
// One control plane is enough: responses come from the spool and from the trace store.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@plumbline/contract'
import { jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const testApp = await startTestApp()

const traceId = '5f2a9c1e7d3b48a6b0c4e8f2a6d01b37'
const attributesOf = (values: Readonly<Record<string, string | number>>): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
  }))

const question = [{ role: 'user', content: 'What is the weather in Lyon?' }]
const response = {
  id: 'chatcmpl-CFmD9zQ2bY7kXvT0aLr4',
  object: 'chat.completion',
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', content: '18 degrees.' }, finish_reason: 'stop' }],
}

/** OpenLLMetry's span of the OpenAI client, with the conversation. */
const instrumentedClient = jsonSpan({
  traceId,
  spanId: 'b1c2d3e4f5a60718',
  parentSpanId: 'a0b1c2d3e4f50617',
  name: 'openai.chat',
  kind: 'SPAN_KIND_CLIENT',
  startTimeUnixNano: '1760000000120000000',
  endTimeUnixNano: '1760000000910000000',
  attributes: attributesOf({
    'gen_ai.system': 'openai',
    'llm.request.type': 'chat',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.model': response.model,
    'gen_ai.response.id': response.id,
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': question[0]!.content,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': '18 degrees.',
    'gen_ai.usage.input_tokens': 14,
    'gen_ai.usage.output_tokens': 4,
  }),
})

/** LiteLLM's own span of the same request, which has the cost that the proxy charges. */
const proxied = jsonSpan({
  traceId,
  spanId: 'c2d3e4f5a6071829',
  parentSpanId: 'a0b1c2d3e4f50617',
  name: 'litellm_request',
  startTimeUnixNano: '1760000000110000000',
  endTimeUnixNano: '1760000000930000000',
  attributes: attributesOf({
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.id': response.id,
    'gen_ai.usage.input_tokens': 14,
    'gen_ai.usage.output_tokens': 4,
    'gen_ai.usage.cost': 0.0125,
  }),
})

test('the cost of a call that two instrumentations report is the one that either reports', async () => {
  const workspace = await testApp.newWorkspace()
  const root = jsonSpan({ traceId, spanId: 'a0b1c2d3e4f50617', name: 'POST /weather' })
  const { text } = await postJson(testApp, workspace, jsonExport([root, proxied, instrumentedClient]))
  assert.equal(text, '{}')
  for (const isStored of [false, true]) {
    if (isStored) await testApp.app.flush()
    const { trace } = await workspace.ok(operations.traces.get, { id: traceId })
    const { inputTokens, outputTokens, cost } = trace.totals
    assert.deepEqual([inputTokens, outputTokens, cost], [14, 4, 0.0125])
    const [byProxy, byClient] = ['litellm_request', 'openai.chat'].map(
      (name) => trace.logs.find((log) => log.name === name)!,
    )
    assert.deepEqual([byClient?.cost, byClient?.costInTotals], [0.0125, 0.0125])
    assert.deepEqual([byProxy?.cost, byProxy?.costInTotals ?? null], [0.0125, null])
    assert.deepEqual([byClient?.countsInTotals, byProxy?.countsInTotals], [true, false])
  }
})
