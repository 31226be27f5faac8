/** Captures of real frameworks: we read at least as much as another system, and more where the captures have more. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogRow } from '@plumbline/storage/traces/rows'
import { captures, readCapture, rowsOf } from '../../../testing/otlp-spans.ts'

type Rows = ReturnType<typeof rowsOf>

const logNamed = (
  { traces }: Rows,
  name: string,
): LogRow & { loggedInput: unknown; loggedOutput: unknown } => {
  const log = traces[0]!.logs.find((each) => each.name === name)!
  return {
    ...log,
    loggedInput: JSON.parse(log.input ?? 'null'),
    loggedOutput: JSON.parse(log.output ?? 'null'),
  }
}
const capture = (name: string): Rows => rowsOf(...readCapture(name).spans)

/** Kinds that we store as spans. */
const spanKinds = new Set(['span', 'agent', 'chain'])

/** Kinds that the conventions define differently: `ai.generateText` is the step around the model call. */
const knownBetter: Readonly<Record<string, string>> = {
  'ai.generateText': 'span',
  duckduckgo_search: 'tool',
  'tool.search.wikipedia.start-12': 'tool',
  'tool.search.wikipedia.finish-12': 'tool',
  'tool.search.wikipedia.success-12': 'tool',
}

describe('a capture of a real framework', () => {
  for (const name of captures) {
    it(`of ${name} is one trace in which each span is one log, with at least the expected values`, () => {
      const { spans, expectedLogs } = readCapture(name)
      const { traces } = rowsOf(...spans)
      assert.equal(traces.length, 1)
      const { trace, logs } = traces[0]!
      assert.deepEqual(logs.map(({ logId }) => logId).sort(), spans.map(({ spanId }) => spanId).sort())
      for (const each of expectedLogs) {
        const log = logs.find(({ logId }) => logId === each.spanId)!
        const kind = knownBetter[each.name] ?? (spanKinds.has(each.kind) ? 'span' : each.kind)
        assert.equal(log.type, kind, each.name)
        if (each.model !== null) assert.ok(log.model?.startsWith(each.model), `${each.name}: ${log.model}`)
        for (const key of ['inputTokens', 'outputTokens', 'cost'] as const) {
          if (each[key] > 0) assert.ok((log[key] ?? 0) > 0, `${each.name}: ${key}`)
        }
      }
      assert.equal(logs.filter(({ parentId }) => parentId === null).length, 1)
      assert.ok(trace.name !== '')
    })
  }

  it('has exactly the reported tokens and cost, where they were reported', () => {
    for (const [name, log, ...numbers] of [
      ['crewai-2025-07-11', 'completion', 190, 164, 0.0001269],
      ['llamaindex-2025-06-05', 'OpenAI.complete', 13, 81, 0.0008425],
      ['pydantic-ai-tools-2025-06-06', 'chat gpt-4o', 31, 96, 0.0010375],
      ['vercel-aisdk-2025-11-17', 'ai.generateText.doGenerate', 62, 85, 0.0009275],
    ] as const) {
      const { inputTokens, outputTokens, cost, tokensEstimated } = logNamed(capture(name), log)
      assert.deepEqual(
        [inputTokens, outputTokens, Number(cost?.toFixed(7)), tokensEstimated],
        [...numbers, false],
      )
    }
  })

  it('does not count usage in its totals that an agent repeats from its generations', () => {
    const totals = (name: string) => {
      const { inputTokens, outputTokens, models } = capture(name).traces[0]!.trace
      return [inputTokens, outputTokens, models]
    }
    assert.deepEqual(totals('pydantic-ai-tools-2025-06-06'), [31, 96, ['gpt-4o-2024-08-06']])
    assert.deepEqual(totals('vercel-aisdk-2025-11-17'), [62, 85, ['gpt-5-2025-08-07']])
    assert.deepEqual(totals('openai-agents-2025-09-30'), [140, 44, ['gpt-4.1-2025-04-14']])
    assert.equal(logNamed(capture('pydantic-ai-tools-2025-06-06'), 'qa_agent run').inputTokens, 31)
  })
})

describe('messages of a capture', () => {
  it('of OpenInference are messages with tool calls, tool responses and parsed arguments', () => {
    const rows = capture('openai-agents-2025-09-30')
    const [first, last] = rows.traces[0]!.logs.filter(({ type }) => type === 'generation')
    const call = {
      type: 'tool_call',
      id: 'call_Kud0j0DxWSmLzv9W5m6qVqXn',
      name: 'get_weather',
      arguments: { city: 'Tokyo' },
    }
    assert.deepEqual(JSON.parse(first!.output!), [{ role: 'assistant', parts: [call] }])
    assert.deepEqual(JSON.parse(last!.input!), [
      { role: 'system', parts: [{ type: 'text', content: 'You are a helpful agent.' }] },
      { role: 'user', parts: [{ type: 'text', content: "What's the weather in Tokyo?" }] },
      { role: 'assistant', parts: [call] },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: call.id, response: 'The weather in Tokyo is sunny.' }],
      },
    ])
    assert.deepEqual(logNamed(rows, 'get_weather').loggedInput, { city: 'Tokyo' })
  })

  it('of Agno come from the response itself, as do its tokens', () => {
    const { traces } = capture('agno-2025-06-11')
    const [call] = traces[0]!.logs.filter(({ name }) => name === 'OpenAIChat.invoke')
    assert.deepEqual(JSON.parse(call!.output!)[0].parts[0].arguments, {
      query: 'currently trending on Twitter',
    })
    assert.deepEqual([call!.inputTokens, call!.outputTokens, call!.tokensEstimated], [163, 20, false])
  })

  it('of Agno, reported twice, count once: the inner span has no attributes and inherits the numbers, with a flag', () => {
    const { trace, logs } = capture('agno-2025-06-11').traces[0]!
    const inner = logs.filter(({ name }) => name === 'chat gpt-4o-mini')
    assert.deepEqual(
      inner.map(({ type, inputTokens, outputTokens }) => [type, inputTokens, outputTokens]),
      [
        ['generation', 163, 20],
        ['generation', 663, 225],
      ],
    )
    assert.deepEqual(JSON.parse(inner[0]!.metadata!).otel.flags, ['usage_of_enclosing_generation'])
    assert.deepEqual([trace.inputTokens, trace.outputTokens], [826, 245])
  })

  it('of BeeAI, a message for each token, are joined', () => {
    const { loggedOutput } = logNamed(capture('beeai-2025-08-01'), 'backend.openai.chat.success-16')
    const [message, ...others] = loggedOutput as { role: string; parts: { content: string }[] }[]
    assert.equal(others.length, 0)
    assert.match(
      message!.parts[0]!.content,
      /Montjuïc Castle and the Magic Fountain.*29°C.*great time to explore the city!$/s,
    )
  })

  it('of LlamaIndex are made from its list of prompts', () => {
    const { loggedInput: input } = logNamed(capture('llamaindex-2025-06-05'), 'OpenAI.complete')
    assert.deepEqual(input, [{ role: 'user', parts: [{ type: 'text', content: 'What is Langfuse?' }] }])
  })

  it('of Pydantic AI are split into those sent to the model and those it returned', () => {
    const { loggedInput: input, loggedOutput } = logNamed(
      capture('pydantic-ai-tools-2025-06-06'),
      'chat gpt-4o',
    )
    assert.deepEqual(
      (input as { role: string }[]).map(({ role }) => role),
      ['system', 'user'],
    )
    assert.deepEqual(
      (loggedOutput as { role: string }[]).map(({ role }) => role),
      ['assistant'],
    )
  })

  it('of the Google ADK provide the user and session of the trace', () => {
    const { userId, sessionId, input } = capture('google-adk-2025-08-28').traces[0]!.trace
    assert.deepEqual([userId, sessionId], ['demo-user', 'demo-session'])
    assert.equal(JSON.parse(input!).new_message.parts[0].text, 'hi')
  })

  it('become those of the trace if its root has none', () => {
    const { input, output } = capture('llamaindex-2025-06-05').traces[0]!.trace
    assert.match(input!, /What is Langfuse\?/)
    assert.match(output!, /Langfuse is a tool/)
  })
})

describe('the raw span', () => {
  it('is kept whole in the metadata; long attributes that are already stored become pointers', () => {
    for (const name of captures) {
      const { spans } = readCapture(name)
      const { logs } = rowsOf(...spans).traces[0]!
      for (const span of spans) {
        const log = logs.find(({ logId }) => logId === span.spanId)!
        const { otel } = JSON.parse(log.metadata!)
        const storedTexts = {
          input: JSON.parse(log.input ?? 'null'),
          output: JSON.parse(log.output ?? 'null'),
        }
        const valueAt = (pointer: string) =>
          pointer
            .split('/')
            .slice(1)
            .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], storedTexts)
        for (const [key, value] of Object.entries(span.attributes)) {
          const expectation = otel.attributes[key]
          if (expectation?.sameAs !== undefined) assert.equal(valueAt(expectation.sameAs), value)
          else if (expectation?.jsonOf !== undefined)
            assert.deepEqual(valueAt(expectation.jsonOf), JSON.parse(value as string))
          else assert.deepEqual(expectation, value)
        }
        assert.deepEqual(otel.resource, span.resource)
        assert.equal(otel.scope.name, span.scope.name)
      }
    }
  })
})
