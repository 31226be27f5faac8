/** Helicone exports: requests from its export tool and its API; each request becomes a trace with one generation. */
import { makeLog, makeTrace } from './found-trace.ts'
import {
  first,
  instantOf,
  isRecord,
  numberOf,
  parsedJson,
  recordOf,
  recordsOf,
  textOf,
  unmappedFields,
  withoutUndefined,
} from './read-value.ts'
import type { FoundScore, JsonRecord, Part, Source } from './shapes.ts'

const name = 'helicone'

export const helicone: Source = {
  name,
  title: 'Helicone',
  recognises: isRequest,
  sort: (record) =>
    isRequest(record)
      ? [{ type: 'part', traceId: String(record.request_id), kind: 'request', record }]
      : [{ type: 'ignored', what: 'record', why: 'it is no request' }],
  assemble,
}

function isRequest(record: JsonRecord): boolean {
  return 'request_id' in record && ('request_created_at' in record || 'response_status' in record)
}

const mappedFields =
  'request_id request_created_at request_body request_user_id request_properties request_model response_id response_created_at response_body response_status response_model model provider delay_ms total_tokens prompt_tokens completion_tokens prompt_cache_read_tokens prompt_cache_write_tokens cost costUSD cost_usd feedback_rating scores properties helicone_user signed_body_url'.split(
    ' ',
  )

function assemble(id: string, parts: readonly Part[]) {
  const record = parts.at(-1)?.record ?? {}
  const request = parsedJson(record.request_body)
  const response = parsedJson(record.response_body)
  const properties = {
    ...recordOf(record.properties),
    ...recordOf(record.request_properties),
    // A table has one column for each property.
    ...Object.fromEntries(
      Object.entries(record).filter(([column, value]) => /^Helicone-Session/.test(column) && value != null),
    ),
  }
  const startTime = record.request_created_at
  const endTime = record.response_created_at ?? later(startTime, numberOf(record.delay_ms))
  const status = numberOf(record.response_status)
  const error = status !== undefined && status >= 400 ? errorIn(response, status) : undefined
  const input = inputIn(request)
  const output = outputIn(response)
  const log = makeLog(name, {
    id,
    type: 'generation',
    name: textOf(first(record, 'response_model', 'request_model', 'model')),
    startTime,
    endTime,
    input,
    output,
    error,
    otherFields: unmappedFields(
      { ...record, request: isRecord(request) ? unmappedFields(request, ['messages', 'model']) : undefined },
      mappedFields,
    ),
    generation: {
      model: textOf(first(record, 'response_model', 'model', 'request_model')),
      provider: textOf(record.provider)?.toLowerCase(),
      inputTokens: numberOf(record.prompt_tokens),
      outputTokens: numberOf(record.completion_tokens),
      cacheReadTokens: numberOf(record.prompt_cache_read_tokens) || undefined,
      cost: numberOf(first(record, 'cost', 'costUSD', 'cost_usd')),
    },
  })
  return makeTrace(name, {
    id,
    name:
      textOf(properties['Helicone-Session-Name']) ??
      textOf(properties['Helicone-Session-Path']) ??
      log.name ??
      undefined,
    startTime,
    endTime,
    input,
    output,
    userId: textOf(first(record, 'request_user_id', 'helicone_user')),
    sessionId: textOf(properties['Helicone-Session-Id']),
    metadata: properties,
    logs: [log],
    scores: scoresOf(record),
    warnings:
      request === undefined && response === undefined
        ? ['The export has no bodies; export with --include-body to have inputs and outputs.']
        : [],
  })
}

function later(instant: unknown, delayMs: number | undefined): string | undefined {
  const start = typeof instant === 'string' ? Date.parse(instant) : Number.NaN
  return delayMs === undefined || Number.isNaN(start) ? undefined : new Date(start + delayMs).toISOString()
}

const inputIn = (request: unknown): unknown =>
  isRecord(request) ? (first(request, 'messages', 'input', 'contents', 'prompt') ?? request) : request

/** The message of OpenAI's first choice, the content of Anthropic and Gemini, or the whole response. */
function outputIn(response: unknown): unknown {
  if (!isRecord(response)) return response
  const [choice] = recordsOf(response.choices)
  const [candidate] = recordsOf(response.candidates)
  return (
    choice?.message ??
    choice?.text ??
    candidate?.content ??
    (response.role === 'assistant' ? { role: 'assistant', content: response.content } : undefined) ??
    response.output ??
    response
  )
}

const errorIn = (response: unknown, status: number): string => {
  const error = isRecord(response) ? response.error : undefined
  return textOf(isRecord(error) ? error.message : error) ?? `status ${status}`
}

function scoresOf(record: JsonRecord): FoundScore[] {
  const scores = Object.entries(recordOf(record.scores) ?? {}).flatMap(([key, raw]) => {
    const value = isRecord(raw) ? raw.value : raw
    const score = typeof value === 'boolean' || typeof value === 'string' ? value : numberOf(value)
    return score === undefined ? [] : [{ name: key, value: score }]
  })
  const rating = parsedRating(record.feedback_rating)
  return rating === undefined
    ? scores
    : [
        ...scores,
        {
          name: 'feedback',
          value: rating,
          ...withoutUndefined({ createdAt: instantOf(record.feedback_created_at) }),
        },
      ]
}

/** Tables have it as a word. */
const parsedRating = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined
