/** Tests that apply to every instrumentation of the OpenAI client. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI from 'openai'
import { generationsOf, type Log, message, type TracedService, text } from './traced-service.ts'

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'getWeather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const system = { role: 'system' as const, content: 'Be kind.' }
const question = { role: 'user' as const, content: 'What is the weather in Lyon?' }

/** The messages without details that only some instrumentations report, such as the finish reason. */
const messagesOf = (value: unknown): object[] =>
  (value as { role: string; parts: object[] }[]).map(({ role, parts }) => ({ role, parts }))

const tokensOf = ({ inputTokens, outputTokens }: Log) => [inputTokens, outputTokens]

/** Tests the instrumentation of this process. */
export function testInstrumentedOpenAI(name: string, { model, traced: recordTrace }: TracedService): void {
  const openai = new OpenAI({ apiKey: 'any', baseURL: model.url, maxRetries: 0 })

  describe(`the OpenAI client, instrumented by ${name}`, () => {
    it('records the trace of an agent: its messages, its tool calls, its tokens and their cost', async () => {
      const answers: OpenAI.ChatCompletion[] = []
      const trace = await recordTrace('Agent', async () => {
        const first = await openai.chat.completions.create({
          model: 'gpt-4o-mini',
          messages: [system, question],
          tools,
        })
        const called = first.choices[0]!.message
        const toolMessage = {
          role: 'tool' as const,
          tool_call_id: called.tool_calls![0]!.id,
          content: '18 degrees',
        }
        const messages = [system, question, called, toolMessage]
        answers.push(first, await openai.chat.completions.create({ model: 'gpt-4o-mini', messages, tools }))
      })
      assert.equal(trace.logs.length, 3)
      const root = trace.logs.find(({ parentId }) => parentId === null)!
      assert.deepEqual([root.type, root.name], ['span', 'Agent'])

      const generations = generationsOf(trace)
      assert.equal(generations.length, 2)
      const { id } = answers[0]!.choices[0]!.message.tool_calls![0]!
      const messages = [message('system', text('Be kind.')), message('user', text(question.content))]
      const call = { type: 'tool_call', id, name: 'getWeather', arguments: { city: 'Lyon' } }
      const answer = text(answers[1]!.choices[0]!.message.content!)
      const [first, last] = generations
      assert.deepEqual(messagesOf(first!.input), messages)
      assert.deepEqual(messagesOf(first!.output), [message('assistant', call)])
      assert.deepEqual(messagesOf(last!.input), [
        ...messages,
        message('assistant', call),
        message('tool', { type: 'tool_call_response', id, response: '18 degrees' }),
      ])
      assert.deepEqual(messagesOf(last!.output), [message('assistant', answer)])

      for (const [index, log] of generations.entries()) {
        const { prompt_tokens, completion_tokens } = answers[index]!.usage!
        assert.equal(log.parentId, root.id)
        assert.deepEqual([log.model, log.provider], ['gpt-4o-mini', 'openai'])
        assert.deepEqual([...tokensOf(log), log.tokensEstimated], [prompt_tokens, completion_tokens, false])
      }
      assert.deepEqual(trace.totals.models, ['gpt-4o-mini'])
      assert.equal(trace.totals.inputTokens, first!.inputTokens! + last!.inputTokens!)
      assert.equal(trace.totals.cost!.toFixed(9), (first!.cost! + last!.cost!).toFixed(9))
    })

    it('records the trace of a stream, with its parts joined', async () => {
      let streamedText = ''
      const trace = await recordTrace('Stream', async () => {
        const stream = await openai.chat.completions.create({
          model: 'gpt-4o-mini',
          messages: [question],
          stream: true,
        })
        for await (const chunk of stream) streamedText += chunk.choices[0]?.delta.content ?? ''
      })
      const [log] = generationsOf(trace)
      assert.deepEqual(messagesOf(log!.output), [message('assistant', text(streamedText))])
      assert.ok(log!.outputTokens! > 0, 'the tokens are counted where the stream does not report them')
    })

    it('records the trace of a call of the Responses API', async () => {
      let answer: OpenAI.Responses.Response | undefined
      const trace = await recordTrace('Responses', async () => {
        answer = await openai.responses.create({ model: 'gpt-4o-mini', input: 'Why is the sky blue?' })
      })
      const [log] = generationsOf(trace)
      assert.deepEqual(messagesOf(log!.input), [message('user', text('Why is the sky blue?'))])
      assert.deepEqual(messagesOf(log!.output), [message('assistant', text(answer!.output_text))])
      assert.deepEqual(tokensOf(log!), [answer!.usage!.input_tokens, answer!.usage!.output_tokens])
    })
  })
}
