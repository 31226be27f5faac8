/** The import of the exports in fixtures/exchange. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { describe, it } from 'node:test'
import { readCsv } from './csv.ts'
import { readJsonValues } from './json-values.ts'
import { parsedJson } from './read-value.ts'
import type { FoundRow, FoundTrace, FoundVersion, JsonRecord, Log, Part } from './shapes.ts'
import { sourceOf } from './sources.ts'

const pathOf = (file: string) => new URL(`../../../fixtures/exchange/${file}`, import.meta.url)

async function* recordsIn(file: string): AsyncGenerator<JsonRecord> {
  const text = createReadStream(pathOf(file), 'utf8')
  if (!file.endsWith('.csv')) {
    for await (const value of readJsonValues(text)) yield JSON.parse(value) as JsonRecord
    return
  }
  const [titles = [], ...rows] = await Array.fromAsync(readCsv(text))
  for (const row of rows)
    yield Object.fromEntries(titles.map((title, index) => [title ?? '', parsedJson(row[index] ?? null)]))
}

/** The contents of files, each record read by the source that recognises it. */
async function readFiles(...files: string[]) {
  const traces = new Map<string, Part[]>()
  const versions: FoundVersion[] = []
  const rows: FoundRow[] = []
  const others: string[] = []
  const names = new Set<string>()
  for (const file of files) {
    for await (const record of recordsIn(file)) {
      const source = sourceOf(record)
      assert.ok(source, `${file}: ${JSON.stringify(record).slice(0, 200)}`)
      names.add(source.name)
      for (const sorted of source.sort(record)) {
        if (sorted.type === 'part')
          traces.set(sorted.traceId, [...(traces.get(sorted.traceId) ?? []), sorted])
        else if (sorted.type === 'version') versions.push(sorted.version)
        else if (sorted.type === 'row') rows.push(sorted.row)
        else others.push(sorted.type === 'ignored' ? `${sorted.what}: ${sorted.why}` : sorted.type)
      }
    }
  }
  assert.equal(names.size, 1, [...names].join())
  const source = sourceOf((await recordsIn(files[0]!).next()).value as JsonRecord)!
  const assembled = [...traces].map(([id, parts]): FoundTrace => source.assemble(id, parts))
  return { source: source.name, found: assembled, versions, rows, others }
}

const logNamed = ({ trace }: FoundTrace, name: string): Log => {
  const log = trace.logs?.find((candidate) => candidate.name === name)
  assert.ok(log, name)
  return log
}

describe('exports of Langfuse', () => {
  it('become traces with nested logs, users, sessions, tokens, costs, prompts and scores', async () => {
    const { source, found: assembled } = await readFiles('langfuse/traces.json')
    assert.equal(source, 'langfuse')
    const [first, second] = assembled
    const { logs, metadata, ...trace } = first!.trace
    assert.deepEqual(trace, {
      name: 'answer-question',
      startTime: '2026-05-04T09:30:00.000Z',
      input: { question: 'How do I reset my password?' },
      output: 'Use the link on the sign-in page.',
      user: { id: 'user-17', name: 'user-17' },
      sessionId: 'chat-4411',
      environment: 'default',
      release: 'v2.3.1',
      tags: ['beta', 'web'],
    })
    assert.deepEqual(metadata, {
      plan: 'pro',
      region: 'eu',
      'import.source': 'langfuse',
      'import.id': '7d1f2a90-6c1e-4c43-9d54-2d1f6f4a1b10',
      langfuse: { bookmarked: false, public: false },
    })
    assert.deepEqual(
      logs?.map(({ id, type, parentId }) => [id, type, parentId]),
      [
        ['obs-root', 'span', undefined],
        ['obs-tool', 'tool', 'obs-root'],
        ['obs-gen', 'generation', 'obs-root'],
      ],
    )
    assert.equal(logNamed(first!, 'search-docs').metadata?.error, 'index is away')
    const { metadata: own, ...generation } = logNamed(first!, 'answer')
    assert.deepEqual(generation, {
      id: 'obs-gen',
      type: 'generation',
      parentId: 'obs-root',
      name: 'answer',
      startTime: '2026-05-04T09:30:01.000Z',
      endTime: '2026-05-04T09:30:02.900Z',
      input: [
        { role: 'system', content: 'You help customers.' },
        { role: 'user', content: 'How do I reset my password?' },
      ],
      output: { role: 'assistant', content: 'Use the link on the sign-in page.' },
      inputTokens: 320,
      outputTokens: 41,
      cost: 0.00089,
      timeToFirstTokenMs: 300,
      prompt: { slug: 'answer-question', version: '2' },
    })
    assert.equal(own?.model, 'gpt-4o-2024-08-06')
    assert.deepEqual(own?.usage, {
      prompt_tokens_details: { cached_tokens: 256 },
      completion_tokens_details: { reasoning_tokens: 11 },
    })
    assert.deepEqual(
      first!.scores.map(({ name, value, logId, comment }) => [name, value, logId, comment]),
      [
        ['helpfulness', 0.9, undefined, 'Clear.'],
        ['is-polite', true, 'obs-gen', undefined],
        ['topic', 'account', undefined, undefined],
      ],
    )
    assert.equal(logNamed(second!, 'cache-miss').type, 'event')
  })

  it('of the blob storage integration give the same traces, from three files', async () => {
    const files = ['scores', 'observations', 'traces'].map((kind) => `langfuse/blob/${kind}/2026-05-04.jsonl`)
    const { found: assembled } = await readFiles(...files)
    assert.equal(assembled.length, 1)
    const { trace, scores } = assembled[0]!
    assert.equal(trace.startTime, '2026-05-04T09:30:00.123456Z')
    assert.deepEqual(trace.user, { id: 'user-3', name: 'user-3' })
    const log = logNamed(assembled[0]!, 'summarize')
    assert.deepEqual(log.input, [{ role: 'user', content: 'Long text' }])
    assert.equal(log.type === 'generation' && log.cost, 0.0045)
    assert.deepEqual(
      scores.map(({ name, value, logId }) => [name, value, logId]),
      [['faithful', true, 'blob-gen-1']],
    )
  })

  it('from the button that downloads a trace are read completely (migration)', async () => {
    const { found: assembled, others } = await readFiles('langfuse/download.json')
    assert.deepEqual(others, [])
    const [only] = assembled
    const { trace, scores } = only!
    assert.deepEqual(
      [trace.name, trace.input, trace.output, trace.sessionId],
      ['ask', { q: 'Why?' }, { a: 'Because.' }, 's-1'],
    )
    assert.deepEqual(
      trace.logs?.map(({ id, type, parentId }) => [id, type, parentId]),
      [
        ['ob-1', 'span', undefined],
        ['ob-2', 'generation', 'ob-1'],
      ],
    )
    assert.deepEqual(
      scores.map(({ name, value }) => [name, value]),
      [['helpful', 0.7]],
    )
  })

  it('of older clients, which are batched events, become traces (migration)', async () => {
    const { found: assembled, others } = await readFiles('langfuse/events.jsonl')
    assert.deepEqual(others, ['score: it judges no trace', 'sdk-log event: it is about the client itself'])
    const [only] = assembled
    const { trace, scores } = only!
    assert.deepEqual(
      [trace.name, trace.output, trace.metadata?.one, trace.metadata?.two],
      ['ask', 'Because.', 1, 2],
    )
    const log = logNamed(only!, 'call')
    assert.deepEqual(
      [log.type, log.input, log.output, log.endTime],
      ['generation', 'Why?', 'Because.', '2026-06-01T08:00:03.000Z'],
    )
    assert.deepEqual([log.metadata?.a, log.metadata?.b], [1, 2])
    assert.equal(log.type === 'generation' && log.inputTokens, 3)
    assert.deepEqual(
      scores.map(({ name, value }) => [name, value]),
      [['tone', 'warm']],
    )
  })

  it('of the second version of observations need neither a parent nor a status (migration)', async () => {
    const { found: assembled } = await readFiles('langfuse/observations-v2.jsonl')
    assert.equal(assembled[0]!.trace.name, 'ask')
    assert.equal(logNamed(assembled[0]!, 'call').metadata?.model, 'gpt-4o')
  })

  it('of chat prompts stay messages, keep their settings, and get no additional tags (migration)', async () => {
    const { versions } = await readFiles('langfuse/chat-prompts.jsonl')
    const [only] = versions
    assert.deepEqual(
      [only!.slug, only!.tags, only!.config],
      ['folder-chat', ['staging'], { temperature: 0.1, extra: [1] }],
    )
    assert.deepEqual(only!.messages?.[1], { placeholder: 'history' })
    assert.equal(only!.messages?.length, 4)
    assert.match(
      only!.warnings.join(' '),
      /refers to another prompt.*tags of the prompt \(support\) are left out/,
    )
  })

  it('of prompts become versions with tags, and of datasets rows', async () => {
    const { versions } = await readFiles('langfuse/prompts.json')
    assert.deepEqual(
      versions.map(({ slug, version, text, messages, tags, model, config }) => [
        ...[slug, version, text, messages, tags, model, config],
      ]),
      [
        ['answer-question', '1', 'Answer: {{question}}', undefined, [], undefined, undefined],
        [
          'answer-question',
          '2',
          '',
          [
            { role: 'system', content: "You help {{company}}'s customers." },
            { role: 'user', content: '{{question}}' },
          ],
          ['production'],
          { model: 'gpt-4o', parameters: { temperature: 0.2 } },
          { model: 'gpt-4o', temperature: 0.2 },
        ],
      ],
    )
    const { rows, others } = await readFiles('langfuse/dataset-items.json')
    assert.deepEqual(others, ['dataset item: it is archived'])
    assert.deepEqual(rows, [
      {
        slug: 'faq-cases',
        datasetName: 'FAQ cases',
        values: { question: 'Why?', lang: 'en' },
        idealOutput: 'Because.',
        metadata: {
          hard: true,
          'import.source': 'langfuse',
          'import.id': 'item-1',
          sourceTraceId: '7d1f2a90-6c1e-4c43-9d54-2d1f6f4a1b10',
        },
      },
    ])
  })
})

describe('exports of Braintrust', () => {
  it('become traces of nested spans with scores, tokens and expected outputs', async () => {
    const { source, found: assembled } = await readFiles('braintrust/logs.jsonl')
    assert.equal(source, 'braintrust')
    const [only] = assembled
    const { trace, scores } = only!
    assert.deepEqual(
      [trace.name, trace.input, trace.output, trace.idealOutput, trace.tags],
      ['ask', { q: 'Why?' }, 'Because.', 'Because.', ['web']],
    )
    assert.equal(trace.metadata?.plan, 'pro')
    assert.deepEqual(trace.metadata?.braintrust, { experiment_id: 'e-1' })
    const generation = logNamed(only!, 'Chat Completion')
    assert.ok(generation.type === 'generation')
    assert.deepEqual(
      [generation.parentId, generation.inputTokens, generation.outputTokens, generation.timeToFirstTokenMs],
      ['bt-root', 20, 4, 250],
    )
    assert.deepEqual(generation.metadata?.usage, { prompt_tokens_details: { cached_tokens: 8 } })
    assert.deepEqual(
      [logNamed(only!, 'weather').type, logNamed(only!, 'weather').metadata?.error],
      ['tool', 'no route'],
    )
    assert.deepEqual(scores, [{ name: 'exact', value: 1 }])
  })
})

describe('exports of MLflow', () => {
  it('become traces of nested spans with messages, tokens, users, sessions and assessments', async () => {
    const { source, found: assembled } = await readFiles('mlflow/traces.jsonl')
    assert.equal(source, 'mlflow')
    const [only] = assembled
    const { trace, scores } = only!
    assert.deepEqual(
      [trace.name, trace.input, trace.output, trace.user?.id, trace.sessionId],
      ['ask', { q: 'Why?' }, 'Because.', 'u-1', 's-1'],
    )
    assert.deepEqual([trace.metadata?.env, trace.metadata?.mlflow], ['prod', { team: 'docs' }])
    const generation = logNamed(only!, 'Completions')
    assert.ok(generation.type === 'generation')
    assert.deepEqual(
      [generation.parentId, generation.metadata?.model, generation.inputTokens],
      ['cm9vdA==', 'gpt-4o', 12],
    )
    assert.deepEqual(
      [logNamed(only!, 'weather').type, logNamed(only!, 'weather').metadata?.error],
      ['tool', 'no route'],
    )
    assert.deepEqual(scores, [{ name: 'correct', value: true, comment: 'It is.' }])
  })
})

describe('exports of Phoenix', () => {
  it('of its dataframe become traces with messages, documents and tokens', async () => {
    const { source, found: assembled } = await readFiles('phoenix/spans.jsonl')
    assert.equal(source, 'phoenix')
    const [only] = assembled
    assert.equal(only!.trace.input, 'What is a plumb line?')
    assert.deepEqual(only!.trace.user, { id: 'u-5', name: 'u-5' })
    assert.equal(only!.trace.sessionId, 's-77')
    assert.equal(only!.trace.metadata?.team, 'docs')
    const retrieval = logNamed(only!, 'retrieve')
    assert.equal(retrieval.type, 'retrieval')
    assert.deepEqual(retrieval.output, [
      { id: 'd1', content: 'A plumb line is a weight on a string.', score: 0.91 },
    ])
    const generation = logNamed(only!, 'OpenAI')
    assert.deepEqual(generation.output, { role: 'assistant', content: 'A weight on a string.' })
    assert.equal(generation.type === 'generation' && generation.inputTokens, 210)
    assert.equal(generation.metadata?.model, 'gpt-4o-mini')
  })

  it('of its API become traces with tool calls, errors and annotations', async () => {
    const { found: assembled, rows } = await readFiles('phoenix/api-spans.json', 'phoenix/examples.json')
    const [only] = assembled
    assert.deepEqual(only!.trace.input, { city: 'Bonn' })
    assert.equal(logNamed(only!, 'agent').metadata?.error, 'tool failed')
    assert.deepEqual(logNamed(only!, 'call').output, {
      role: 'assistant',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } },
      ],
    })
    assert.deepEqual(only!.scores, [
      { name: 'correct', value: 0, logId: 'b7ad6b7169203331', comment: 'no: It failed.' },
    ])
    assert.deepEqual(rows[0]?.values, { city: 'Bonn' })
    assert.equal(rows[0]?.idealOutput, 'Rain')
  })
})

describe('exports of Helicone', () => {
  it('become a trace of one generation for each request, from lines and tables alike', async () => {
    const { source, found: assembled } = await readFiles('helicone/requests.jsonl', 'helicone/requests.csv')
    assert.equal(source, 'helicone')
    const [good, bad, row] = assembled
    for (const trace of [good, row]) {
      assert.equal(trace!.trace.name, 'greeting')
      assert.deepEqual(trace!.trace.user, { id: 'user-8', name: 'user-8' })
      assert.equal(trace!.trace.sessionId, 'sess-1')
      const [log] = trace!.trace.logs ?? []
      assert.deepEqual(log?.input, [{ role: 'user', content: 'Hello' }])
      assert.deepEqual(log?.output, { role: 'assistant', content: 'Hi!' })
      assert.ok(log?.type === 'generation')
      assert.deepEqual([log.inputTokens, log.outputTokens, log.cost], [8, 2, 0.00004])
      assert.equal(log.metadata?.provider, 'openai')
    }
    assert.deepEqual(
      good!.scores.map(({ name, value }) => [name, value]),
      [
        ['accuracy', 95],
        ['feedback', true],
      ],
    )
    assert.equal(bad!.trace.logs?.[0]?.metadata?.error, 'Rate limit reached')
    assert.equal(bad!.trace.endTime, '2026-07-01T10:00:00.040Z')
  })
})

describe('exports of LangSmith', () => {
  it('become traces of nested runs with messages, feedback, users and threads', async () => {
    const { source, found: assembled } = await readFiles('langsmith/runs.jsonl', 'langsmith/feedback.jsonl')
    assert.equal(source, 'langsmith')
    const [only] = assembled
    assert.equal(assembled.length, 1)
    assert.equal(only!.trace.name, 'RunnableSequence')
    assert.equal(only!.trace.startTime, '2026-08-01T09:00:00.000000Z')
    assert.deepEqual(only!.trace.user, { id: 'u-77', name: 'u-77' })
    assert.equal(only!.trace.sessionId, 'thread-12')
    const generation = logNamed(only!, 'ChatOpenAI')
    assert.deepEqual(generation.input, [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'What is 2+2?' },
    ])
    assert.deepEqual(generation.output, { role: 'assistant', content: '4' })
    assert.ok(generation.type === 'generation')
    assert.deepEqual([generation.inputTokens, generation.outputTokens, generation.cost], [24, 1, 0.0000042])
    assert.deepEqual([generation.metadata?.model, generation.metadata?.provider], ['gpt-4o-mini', 'openai'])
    assert.equal(logNamed(only!, 'calculator').metadata?.error, 'ValueError: no numbers')
    assert.deepEqual(
      only!.scores.map(({ name, value, logId }) => [name, value, logId]),
      [
        ['correctness', 1, '1f0a6f1e-0000-4000-8000-000000000002'],
        ['tone', 'friendly', undefined],
      ],
    )
  })

  it('without feedback have its averages, and examples become rows', async () => {
    const { found: assembled } = await readFiles('langsmith/runs.jsonl')
    assert.deepEqual(assembled[0]?.scores, [{ name: 'correctness', value: 0.5, comment: 'Average of 2.' }])
    const { rows } = await readFiles('langsmith/examples.json')
    assert.deepEqual(
      [rows[0]?.slug, rows[0]?.values, rows[0]?.idealOutput],
      ['math', { question: '2+2' }, '4'],
    )
  })
})

it('cases without an input become rows with an empty one, since no row is empty', () => {
  const records = [
    { id: 'e', dataset_id: 'd', dataset_name: 'Math', inputs: {}, outputs: { answer: '4' } },
    { id: 'i', datasetId: 'd', datasetName: 'FAQ', input: {}, expectedOutput: 'So.', sourceTraceId: null },
  ]
  const sorted = records.flatMap((record) => [...(sourceOf(record)?.sort(record) ?? [])])
  assert.deepEqual(
    sorted.map((each) => each.type === 'row' && each.row.values),
    [{ input: {} }, { input: {} }],
  )
})

describe('exports of Opik', () => {
  it('become traces, prompt versions and rows', async () => {
    const {
      source,
      found: assembled,
      versions,
      rows,
    } = await readFiles(
      'opik/trace_01985f3c-0000-7000-8000-000000000001.json',
      'opik/dataset_Greetings.json',
      'opik/prompt_greet.json',
    )
    assert.equal(source, 'opik')
    const [only] = assembled
    assert.equal(only!.trace.sessionId, 'th-1')
    assert.deepEqual(only!.trace.metadata?.opik, { project_name: 'Demo' })
    const generation = logNamed(only!, 'chat_completion_create')
    assert.deepEqual(generation.input, [{ role: 'user', content: 'Bonjour' }])
    assert.equal(generation.metadata?.error, 'Timeout: retried')
    assert.ok(generation.type === 'generation')
    assert.deepEqual([generation.inputTokens, generation.outputTokens, generation.cost], [12, 3, 0.00003])
    assert.deepEqual(only!.scores[0]?.value, 0.8)
    assert.deepEqual(
      versions.map(({ version, text }) => [version, text]),
      [
        ['c0ffee11', 'Say hi to {{name}}'],
        ['c0ffee22', 'Say hi to {{name}} in {{lang}}'],
      ],
    )
    assert.deepEqual(
      rows.map(({ values, idealOutput }) => [values, idealOutput]),
      [
        [{ input: 'Bonjour' }, 'Salut'],
        [{ input: 'Hello' }, '{"text":"Hi"}'],
      ],
    )
  })
})

it('OpenTelemetry requests written by a Protocol Buffers library are converted to OTLP JSON', () => {
  const attributes = [{ key: 'user_id', value: { string_value: 'an_id' } }]
  const span = {
    ...{ trace_id: 'S/kvNXezTaajzpKdDg5HNg==', span_id: 'APBnqgupArg=', parent_span_id: '' },
    ...{ name: 'chat', start_time_unix_nano: '1', attributes },
  }
  const request = { resource_spans: [{ resource: {}, instrumentation_library_spans: [{ spans: [span] }] }] }
  const otlpSpan = {
    ...{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b8', parentSpanId: '' },
    ...{ name: 'chat', startTimeUnixNano: '1' },
    attributes: [{ key: 'user_id', value: { stringValue: 'an_id' } }],
  }
  assert.deepEqual(sourceOf(request)?.sort(request), [
    {
      type: 'otlp',
      request: { resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [otlpSpan] }] }] },
    },
  ])
})

it('OpenTelemetry files are passed on unchanged', async () => {
  const { source, others } = await readFiles('otlp/collector.jsonl')
  assert.equal(source, 'otlp')
  assert.deepEqual(others, ['otlp', 'otlp'])
  for await (const request of recordsIn('otlp/collector.jsonl'))
    assert.deepEqual(sourceOf(request)?.sort(request), [{ type: 'otlp', request }])
})
