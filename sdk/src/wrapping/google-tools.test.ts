/** Google's real client, whose calls run tools themselves: each model call and each tool run is a log. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { type CallableTool, type FunctionCall, GoogleGenAI, type Part } from '@google/genai'
import { wrapGoogle } from '../google.ts'
import { createClient, type TraceRecording } from '../index.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })

const model = 'gemini-2.5-flash'
/** The next responses of the server, each with its parts. */
let replies: (readonly Part[])[] = []
const server = createServer(async (request, response) => {
  for await (const _chunk of request);
  const answer = {
    candidates: [{ content: { role: 'model', parts: replies.shift() ?? [] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    modelVersion: 'gemini-2.5-flash-001',
  }
  const isStream = request.url?.includes('streamGenerateContent') === true
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  response.end(isStream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})
const httpOptions = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }

class Weather implements CallableTool {
  // The client must not call it on another receiver.
  readonly #degrees = 21
  readonly tool = async () => ({ functionDeclarations: [{ name: 'weather', description: 'Of a city.' }] })
  async callTool(calls: FunctionCall[]): Promise<Part[]> {
    if (calls.some(({ args }) => args?.city === 'Nowhere')) throw new Error('No such city.')
    return calls.map(({ id, name }) => {
      plumbline.current?.event({ name: 'looked up' })
      return { functionResponse: { ...(id && { id }), name: name!, response: { degrees: this.#degrees } } }
    })
  }
}

const callOf = (city: string, id?: string): Part => ({
  functionCall: { ...(id && { id }), name: 'weather', args: { city } },
})

/** The logs of a trace, each with its type, its name, and the name of its parent. */
async function logsOf(act: () => Promise<unknown>) {
  let recording: TraceRecording | undefined
  await plumbline.trace({ name: 'calls' }, async (trace) => {
    recording = trace
    await act()
  })
  await plumbline.flush()
  const { trace } = await plumbline.traces.get({ id: recording!.traceId })
  const nameOf = (id: string | null | undefined) => trace.logs.find((log) => log.id === id)?.name
  return {
    totals: trace.totals,
    logs: trace.logs.slice(1),
    tree: trace.logs.slice(1).map(({ type, name, parentId }) => `${type} ${name} in ${nameOf(parentId)}`),
  }
}

const call = `google.generate ${model}`

describe("Google's client that runs tools", () => {
  const bare = new GoogleGenAI({ apiKey: 'any', httpOptions })
  const google = wrapGoogle(bare, { plumbline, generation: { metadata: { team: 'weather' } } })
  const config = { tools: [new Weather()] }

  it('records each call of the model, and the tools between them', async () => {
    replies = [[callOf('Lyon')], [{ text: 'It is 21 degrees.' }]]
    const params = { model, contents: 'How warm?', config }
    const { tree, logs, totals } = await logsOf(async () => {
      const { text, automaticFunctionCallingHistory } = await google.models.generateContent(params)
      assert.equal(text, 'It is 21 degrees.')
      assert.equal(automaticFunctionCallingHistory?.length, 3)
    })
    assert.deepEqual(tree, [
      `span ${call} in calls`,
      `generation ${call} in ${call}`,
      `tool weather in ${call}`,
      'event looked up in weather',
      `generation ${call} in ${call}`,
    ])
    const [span, first, tool, , second] = logs
    assert.deepEqual(
      [span!.input, span!.output],
      ['How warm?', { role: 'assistant', parts: [{ text: 'It is 21 degrees.' }] }],
    )
    assert.deepEqual([tool!.input, tool!.output], [{ city: 'Lyon' }, { degrees: 21 }])
    assert.deepEqual([totals.inputTokens, totals.outputTokens], [20, 4])
    assert.match(JSON.stringify(first!.output), /"city":"Lyon"/)
    assert.match(JSON.stringify(second!.input), /"degrees":21/)
    assert.equal((second!.metadata as { team: string }).team, 'weather')
    assert.deepEqual(params, { model, contents: 'How warm?', config })
  })

  it('does so for streams and chats', async () => {
    replies = [[callOf('Lyon', 'c1')], [{ text: 'Warm.' }], [callOf('Paris')], [{ text: 'Mild.' }]]
    const { tree, logs, totals } = await logsOf(async () => {
      let text = ''
      for await (const chunk of await google.models.generateContentStream({
        model,
        contents: 'How warm?',
        config,
      }))
        text += chunk.candidates?.[0]?.content?.parts?.[0]?.text ?? ''
      assert.equal(text, 'Warm.')
      const response = await google.chats.create({ model, config }).sendMessage({ message: 'And in Paris?' })
      assert.equal(response.text, 'Mild.')
    })
    const steps = [
      `span ${call} in calls`,
      `generation ${call} in ${call}`,
      `tool weather in ${call}`,
      'event looked up in weather',
      `generation ${call} in ${call}`,
    ]
    assert.deepEqual(tree, [...steps, ...steps])
    assert.deepEqual(logs[0]!.output, { role: 'assistant', parts: [{ text: 'Warm.' }] })
    assert.equal(totals.inputTokens, 40)
  })

  it('records concurrent tool calls, and one that fails', async () => {
    replies = [[callOf('Lyon', 'c1'), callOf('Paris', 'c2')], [{ text: 'Warm.' }], [callOf('Nowhere')]]
    const { tree, logs } = await logsOf(async () => {
      await google.models.generateContent({ model, contents: 'How warm?', config })
      await assert.rejects(
        google.models.generateContent({ model, contents: 'Where?', config }),
        /No such city/,
      )
    })
    const kinds = tree.filter((line) => !line.startsWith('event'))
    assert.deepEqual(kinds, [
      `span ${call} in calls`,
      `generation ${call} in ${call}`,
      `span tools in ${call}`,
      'tool weather in tools',
      'tool weather in tools',
      `generation ${call} in ${call}`,
      `span ${call} in calls`,
      `generation ${call} in ${call}`,
      `tool weather in ${call}`,
    ])
    assert.deepEqual(
      logs.filter(({ type }) => type === 'tool').map(({ output }) => output),
      [{ degrees: 21 }, { degrees: 21 }, null],
    )
    const failed = logs.filter(
      ({ metadata }) => (metadata as { error?: unknown } | null)?.error !== undefined,
    )
    assert.deepEqual(
      failed.map(({ type }) => type),
      ['span', 'tool'],
    )
  })

  it('leaves calls alone that run no tools or do not use the wrapped client', async () => {
    replies = [[callOf('Lyon')], [{ text: 'Warm.' }], [callOf('Lyon')]]
    const { tree } = await logsOf(async () => {
      await bare.models.generateContent({ model, contents: 'How warm?', config })
      const disabled = { ...config, automaticFunctionCalling: { disable: true } }
      await google.models.generateContent({ model, contents: 'How warm?', config: disabled })
    })
    assert.deepEqual(
      tree.filter((line) => !line.startsWith('event')),
      [`generation ${call} in calls`],
    )
  })
})
