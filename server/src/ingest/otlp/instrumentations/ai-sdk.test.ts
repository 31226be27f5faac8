import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { generationsOf, message, startTracedService, text, treeOf } from './traced-service.ts'

const { model: provider, traced } = await startTracedService('protobuf')
const openai = createOpenAI({ apiKey: 'any', baseURL: provider.url })
const model = openai('gpt-4o-mini')
const experimental_telemetry = {
  isEnabled: true,
  functionId: 'weather',
  metadata: { userId: 'ada', sessionId: 's1', plan: 'pro' },
}

const prompt = 'What is the weather in Lyon?'
const tools = {
  getWeather: tool({
    description: 'The weather in a city.',
    inputSchema: jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    }),
    execute: async ({ city }) => ({ city, degrees: 18 }),
  }),
}
const request = { model, prompt, experimental_telemetry, tools, stopWhen: stepCountIs(3) }

describe("the AI SDK's telemetry", () => {
  it('records the trace of an agent: nested, with its messages, its tools, its tokens and their cost', async () => {
    let usage: LanguageModelUsage | undefined
    let answer = ''
    const trace = await traced('Agent', async () => {
      const result = await generateText({ ...request, system: 'Be kind.' })
      usage = result.totalUsage
      answer = result.text
    })
    assert.deepEqual(treeOf(trace), [
      {
        'span Agent': [
          {
            'span ai.generateText': [
              'generation ai.generateText.doGenerate',
              'tool getWeather',
              'generation ai.generateText.doGenerate',
            ],
          },
        ],
      },
    ])
    const [first, last] = generationsOf(trace)
    const id = JSON.stringify(first!.output).match(/call_\w+/)![0]
    const call = { type: 'tool_call', id, name: 'getWeather', arguments: { city: 'Lyon' } }
    const question = [message('system', text('Be kind.')), message('user', text(prompt))]
    assert.deepEqual(first!.input, question)
    assert.deepEqual(first!.output, [{ ...message('assistant', call), finish_reason: 'tool-calls' }])
    assert.deepEqual(last!.output, [{ ...message('assistant', text(answer)), finish_reason: 'stop' }])
    assert.match(JSON.stringify(last!.input), /"degrees":18/)
    const weather = trace.logs.find(({ type }) => type === 'tool')!
    assert.deepEqual([weather.input, weather.output], [{ city: 'Lyon' }, { city: 'Lyon', degrees: 18 }])

    assert.deepEqual([first!.model, first!.provider], ['gpt-4o-mini', 'openai'])
    const { inputTokens, outputTokens, cost, models } = trace.totals
    assert.deepEqual(
      [inputTokens, outputTokens, models],
      [usage!.inputTokens, usage!.outputTokens, ['gpt-4o-mini']],
    )
    assert.equal(cost!.toFixed(9), (first!.cost! + last!.cost!).toFixed(9))
  })

  it('records the user, the session and the metadata of the application', async () => {
    const trace = await traced('Known', () => generateText({ model, prompt, experimental_telemetry }))
    assert.deepEqual(trace.user, { id: 'ada', name: 'ada' })
    assert.equal(trace.sessionId, 's1')
    assert.match(JSON.stringify(trace.logs.map(({ metadata }) => metadata)), /"plan":"pro"/)
  })

  it('records the trace of a stream, with its parts joined', async () => {
    let usage: LanguageModelUsage | undefined
    const trace = await traced('Stream', async () => {
      const stream = streamText(request)
      await stream.consumeStream()
      usage = await stream.totalUsage
    })
    // The tool is below the step that called it, since it runs while that step is still streaming.
    assert.deepEqual(treeOf(trace), [
      {
        'span Stream': [
          {
            'span ai.streamText': [
              { 'generation ai.streamText.doStream': ['tool getWeather'] },
              'generation ai.streamText.doStream',
            ],
          },
        ],
      },
    ])
    assert.equal(generationsOf(trace).length, 2)
    const { inputTokens, outputTokens } = trace.totals
    assert.deepEqual([inputTokens, outputTokens], [usage!.inputTokens, usage!.outputTokens])
  })

  it('records an object as an object', async () => {
    const schema = jsonSchema<{ passed: boolean }>({
      type: 'object',
      properties: { passed: { type: 'boolean' } },
      required: ['passed'],
      additionalProperties: false,
    })
    let output: unknown
    const trace = await traced('Object', async () => {
      output = (await generateObject({ model, prompt: 'Judge.', schema, experimental_telemetry })).object
    })
    assert.deepEqual(generationsOf(trace)[0]!.output, output)
  })

  it('counts reasoning as output, which costs more', async () => {
    const thinking = openai('gpt-5-mini')
    const trace = await traced('Reasoning', () =>
      generateText({ model: thinking, prompt, experimental_telemetry }),
    )
    const [log] = generationsOf(trace)
    assert.ok(log!.outputTokens! >= 64, `${log!.outputTokens} tokens`)
  })

  it('records a failed call', async () => {
    const trace = await traced('Failure', () =>
      assert.rejects(
        generateText({ model: openai('fake-500'), prompt, experimental_telemetry, maxRetries: 0 }),
        /had an error/,
      ),
    )
    assert.ok(trace.totals.errors > 0)
    assert.match(JSON.stringify(trace.logs.map(({ metadata }) => metadata)), /had an error/)
  })
})
