/** Braintrust exports: rows of logs and experiments, from its web app, its API (`events`) and its SQL, one span each. */
import { type LogParts, makeLog, makeTrace } from './found-trace.ts'
import {
  first,
  idealOf,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
  unmappedFields,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Log, Part, SortedRecord, Source } from './shapes.ts'

const name = 'braintrust'

const types: Readonly<Record<string, Log['type']>> = {
  llm: 'generation',
  tool: 'tool',
  function: 'function',
  score: 'function',
}

export const braintrust: Source = {
  name,
  title: 'Braintrust',
  recognises: (record) => isSpan(record) || isPage(record),
  sort: (record) => (isPage(record) ? recordsOf(record.events).map(partOf) : [partOf(record)]),
  assemble,
}

const isSpan = (record: JsonRecord): boolean =>
  'root_span_id' in record && 'span_id' in record && ('span_attributes' in record || 'metrics' in record)
const isPage = ({ events }: JsonRecord): boolean =>
  Array.isArray(events) && events.length > 0 && recordsOf(events).every(isSpan)

const partOf = (record: JsonRecord): SortedRecord => ({
  type: 'part',
  traceId: String(record.root_span_id),
  kind: 'span',
  record,
})

const mappedFields =
  'id span_id root_span_id span_parents is_root created input output expected error scores metadata tags metrics span_attributes project_id org_id log_id _xact_id _pagination_key'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const spans = parts.map(({ record }) => record)
  const root = spans.find((span) => span.span_id === id) ?? spans.find((span) => parentOf(span) === undefined)
  const trace = root ?? spans[0] ?? {}
  const { start, end } = recordOf(trace.metrics) ?? {}
  const { trace: imported, ...rest } = makeTrace(name, {
    id,
    name: nameOf(trace),
    startTime: start ?? trace.created,
    endTime: end,
    input: trace.input,
    output: trace.output,
    tags: listOf(trace.tags),
    metadata: recordOf(trace.metadata),
    otherFields: unmappedFields(trace, mappedFields),
    logs: spans.map((span) => makeLog(name, logOf(span))),
    scores: spans.flatMap((span) => scoresOf(span, span === root ? undefined : String(span.span_id))),
    warnings:
      root === undefined ? ['The export lacks the root of this trace; its first span stands for it.'] : [],
  })
  return { ...rest, trace: { ...imported, ...withoutUndefined({ idealOutput: idealOf(trace.expected) }) } }
}

const parentOf = (span: JsonRecord): string | undefined => textOf(listOf(span.span_parents)[0])

const nameOf = (span: JsonRecord): string | undefined => textOf(recordOf(span.span_attributes)?.name)

function logOf(span: JsonRecord): LogParts {
  const metrics = recordOf(span.metrics) ?? {}
  const metadata = recordOf(span.metadata) ?? {}
  const type = types[String(recordOf(span.span_attributes)?.type)] ?? 'span'
  return {
    id: String(span.span_id),
    parentId: parentOf(span),
    type,
    name: nameOf(span),
    startTime: metrics.start ?? span.created,
    endTime: metrics.end,
    input: span.input,
    output: span.output,
    metadata,
    error: span.error == null ? undefined : (textOf(span.error) ?? JSON.stringify(span.error)),
    otherFields: unmappedFields(span, mappedFields),
    generation:
      type === 'generation'
        ? {
            model: textOf(metadata.model),
            provider: textOf(metadata.provider),
            inputTokens: numberOf(metrics.prompt_tokens),
            outputTokens: numberOf(metrics.completion_tokens),
            cacheReadTokens: numberOf(metrics.prompt_cached_tokens),
            reasoningTokens: numberOf(metrics.completion_reasoning_tokens),
            cost: numberOf(first(metrics, 'estimated_cost', 'cost')),
            timeToFirstTokenMs: milliseconds(metrics.time_to_first_token),
          }
        : undefined,
  }
}

/** Braintrust measures in seconds. */
function milliseconds(value: unknown): number | undefined {
  const seconds = numberOf(value)
  return seconds === undefined ? undefined : seconds * 1000
}

const scoresOf = ({ scores }: JsonRecord, logId: string | undefined): FoundScore[] =>
  Object.entries(recordOf(scores) ?? {}).flatMap(([score, value]) => {
    const number = numberOf(value)
    return number === undefined ? [] : [{ name: score, value: number, ...withoutUndefined({ logId }) }]
  })
