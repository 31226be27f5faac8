/** LangSmith exports: runs from its API, its SDK and its bulk export, feedback, and examples of datasets. */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import {
  first,
  idealOf,
  instantOf,
  isRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  slugOf,
  textOf,
  unmappedFields,
  valuesOf,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, SortedRecord, Source } from './shapes.ts'

const name = 'langsmith'

const types: Readonly<Record<string, Log['type']>> = {
  llm: 'generation',
  embedding: 'generation',
  tool: 'tool',
  retriever: 'retrieval',
  prompt: 'function',
  parser: 'function',
}

export const langsmith: Source = {
  name,
  title: 'LangSmith',
  recognises: (record) => isRun(record) || isFeedback(record) || isExample(record),
  sort(record) {
    if (isRun(record)) return sortRun(record)
    if (isFeedback(record)) {
      const traceId = textOf(first(record, 'trace_id', 'run_id'))
      return traceId === undefined
        ? [{ type: 'ignored', what: 'feedback', why: 'it judges no run' }]
        : [{ type: 'part', traceId, kind: 'feedback', record }]
    }
    if (isExample(record)) return [sortExample(record)]
    return [{ type: 'ignored', what: 'record', why: 'it is no run, feedback or example' }]
  },
  assemble,
}

const isRun = (record: JsonRecord): boolean => 'run_type' in record && 'id' in record
const isFeedback = (record: JsonRecord): boolean =>
  'run_id' in record && 'key' in record && ('score' in record || 'value' in record)
const isExample = (record: JsonRecord): boolean => 'dataset_id' in record && 'inputs' in record

/** Flattens nested runs. If there is no trace id, a run without a parent is the trace. */
function sortRun({ child_runs: children, ...run }: JsonRecord, parentTraceId?: string): SortedRecord[] {
  const traceId =
    textOf(run.trace_id) ??
    parentTraceId ??
    textOf(/Z([0-9a-f-]{36})/.exec(String(run.dotted_order ?? ''))?.[1]) ??
    String(run.id)
  return [
    { type: 'part', traceId, kind: 'run', record: run },
    ...recordsOf(children).flatMap((child) => sortRun(child, traceId)),
  ]
}

const mappedFields =
  'id trace_id name run_type start_time end_time parent_run_id parent_run_ids child_run_ids direct_child_run_ids dotted_order inputs outputs error tags prompt_tokens completion_tokens total_tokens total_cost prompt_cost completion_cost feedback_stats status extra app_path session_id execution_order trace_min_start_time trace_max_start_time'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const runs = parts.filter(({ kind }) => kind === 'run').map(({ record }) => record)
  const root =
    runs.find((run) => run.id === id) ?? runs.find((run) => run.parent_run_id == null) ?? runs[0] ?? {}
  const metadata = metadataOf(root)
  const feedback = parts.filter(({ kind }) => kind === 'feedback').map(({ record }) => record)
  return makeTrace(name, {
    id,
    name: textOf(root.name),
    startTime: root.start_time,
    endTime: root.end_time,
    input: recordOf(root.inputs),
    output: recordOf(root.outputs),
    userId: textOf(first(metadata, 'user_id', 'userId', 'ls_user_id')),
    sessionId: textOf(first(metadata, 'session_id', 'thread_id', 'conversation_id')),
    tags: listOf(root.tags),
    metadata,
    otherFields: unmappedFields({ project: root.session_name, project_id: root.session_id }, []),
    logs: runs.map((run) => makeLog(name, logOf(run))),
    scores: feedback.length > 0 ? feedback.map((each) => scoreOf(each, id)) : statisticsOf(root),
    warnings: runs.length === 0 ? ['The export has feedback of this trace but no run.'] : [],
  })
}

/** The application's own entries; those that LangChain adds are mapped to other fields. */
const metadataOf = (run: JsonRecord): JsonRecord => recordOf(recordOf(run.extra)?.metadata) ?? {}

function logOf(run: JsonRecord): LogParts {
  const type = types[String(run.run_type)] ?? 'span'
  const extra = recordOf(run.extra) ?? {}
  const inputs = recordOf(run.inputs)
  const outputs = recordOf(run.outputs)
  const isGeneration = type === 'generation'
  return {
    id: String(run.id),
    parentId: textOf(run.parent_run_id),
    type,
    name: textOf(run.name),
    startTime: run.start_time,
    endTime: run.end_time,
    input: (isGeneration ? messagesIn(inputs) : undefined) ?? inputs,
    output: (isGeneration ? messageOut(outputs) : undefined) ?? outputs,
    metadata: metadataOf(run),
    error: textOf(run.error),
    otherFields: unmappedFields(
      {
        ...run,
        ...(run.run_type === 'chain' ? {} : { run_type_name: run.run_type }),
        extra_left: unmappedFields(extra, ['metadata']),
        run_tags: run.tags,
      },
      mappedFields,
    ),
    generation: isGeneration ? generationOf(run, extra, outputs) : undefined,
  }
}

function generationOf(
  run: JsonRecord,
  extra: JsonRecord,
  outputs: JsonRecord | undefined,
): LogParts['generation'] {
  const metadata = recordOf(extra.metadata) ?? {}
  const invocation = recordOf(extra.invocation_params) ?? {}
  const usage =
    recordOf(outputs?.usage_metadata) ??
    recordOf(recordOf(outputs?.llm_output)?.token_usage) ??
    recordOf(outputs?.usage) ??
    {}
  return {
    model:
      textOf(first(metadata, 'ls_model_name')) ??
      textOf(first(invocation, 'model', 'model_name')) ??
      textOf(outputs?.model),
    provider: textOf(metadata.ls_provider),
    inputTokens: numberOf(run.prompt_tokens) ?? numberOf(first(usage, 'input_tokens', 'prompt_tokens')),
    outputTokens:
      numberOf(run.completion_tokens) ?? numberOf(first(usage, 'output_tokens', 'completion_tokens')),
    cacheReadTokens: numberOf(recordOf(usage.input_token_details)?.cache_read),
    reasoningTokens: numberOf(recordOf(usage.output_token_details)?.reasoning),
    cost: numberOf(run.total_cost),
  }
}

const roles: Readonly<Record<string, string>> = {
  human: 'user',
  HumanMessage: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  SystemMessage: 'system',
  tool: 'tool',
  ToolMessage: 'tool',
}

/** OpenAI messages stay as they are; messages serialized by LangChain are converted to the same form. */
function messagesIn(inputs: JsonRecord | undefined): unknown[] | undefined {
  const messages = listOf(inputs?.messages)
  const batch = Array.isArray(messages[0]) ? (messages[0] as unknown[]) : messages
  return batch.length === 0 ? undefined : batch.map(messageOf)
}

function messageOf(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { kwargs, id, type, data } = message
  const fields = recordOf(kwargs) ?? recordOf(data)
  if (fields === undefined) return message
  const kind = textOf(fields.type) ?? textOf(type) ?? textOf(listOf(id).at(-1)) ?? ''
  const calls = listOf(fields.tool_calls)
  return withoutUndefined({
    role: roles[kind] ?? roles[String(listOf(id).at(-1))] ?? kind,
    content: fields.content,
    tool_calls: calls.length === 0 ? undefined : calls,
    tool_call_id: fields.tool_call_id,
  })
}

function messageOut(outputs: JsonRecord | undefined): unknown {
  const generations = listOf(outputs?.generations)
  const generation = Array.isArray(generations[0]) ? generations[0][0] : generations[0]
  if (isRecord(generation))
    return generation.message === undefined ? generation.text : messageOf(generation.message)
  const [choice] = recordsOf(outputs?.choices)
  return choice?.message
}

const scoreOf = (feedback: JsonRecord, traceId: string): FoundScore => ({
  name: String(feedback.key),
  value: judgementOf(feedback.score) ?? judgementOf(feedback.value) ?? JSON.stringify(feedback.value ?? null),
  ...withoutUndefined({
    logId: feedback.run_id === traceId ? undefined : textOf(feedback.run_id),
    comment: textOf(feedback.comment),
    createdAt: instantOf(feedback.created_at),
  }),
})

const judgementOf = (value: unknown): boolean | number | string | undefined =>
  typeof value === 'boolean' || typeof value === 'string' ? value : numberOf(value)

/** The feedback averages of runs, for exports without single feedback records. */
function statisticsOf(root: JsonRecord): FoundScore[] {
  return Object.entries(recordOf(root.feedback_stats) ?? {}).flatMap(([key, statistics]) => {
    const { avg, n } = recordOf(statistics) ?? {}
    const value = numberOf(avg)
    return value === undefined ? [] : [{ name: key, value, comment: `Average of ${n ?? 1}.` }]
  })
}

function sortExample(example: JsonRecord): SortedRecord {
  const datasetName = textOf(first(example, 'dataset_name', 'dataset_id')) ?? 'dataset'
  const outputs = recordOf(example.outputs)
  const values = Object.values(outputs ?? {})
  return {
    type: 'row',
    row: {
      slug: slugOf(datasetName),
      datasetName,
      values: valuesOf(recordOf(example.inputs)),
      metadata: {
        ...recordOf(example.metadata),
        ...withoutUndefined({ 'import.source': name, 'import.id': textOf(example.id) }),
      },
      ...withoutUndefined({ idealOutput: idealOf(values.length === 1 ? values[0] : outputs) }),
    },
  }
}
