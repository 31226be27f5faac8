/** Runs in its own process, since an instrumentation patches the OpenAI client of the whole process. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import OpenAI from 'openai'
import { testInstrumentedOpenAI } from './instrumented-openai.ts'
import { generationsOf, startTracedService } from './traced-service.ts'

const service = await startTracedService('json')
new OpenAIInstrumentation({ tracerProvider: service.provider }).manuallyInstrument(OpenAI)

testInstrumentedOpenAI('OpenInference', service)

it('an embedding, instrumented by OpenInference, has its model, tokens and cost', async () => {
  const openai = new OpenAI({ apiKey: 'any', baseURL: service.model.url })
  const model = 'text-embedding-3-small'
  const trace = await service.traced('Embedding', () =>
    openai.embeddings.create({ model, input: 'red wine' }),
  )
  const [log] = generationsOf(trace)
  assert.deepEqual([log!.model, log!.input, log!.inputTokens], [model, 'red wine', 2])
})
