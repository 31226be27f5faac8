/** Compares the stored form of a capture with its expectation, field by field. */
import { isDeepStrictEqual } from 'node:util'
import type { LogRow } from '@plumbline/storage/traces/rows'
import { factsOf, type StoredTrace } from './stored-capture.ts'
import { transcriptOf } from './transcript.ts'

/**
 * A log as its user would expect to see it. A field that is absent is not in the capture. Conversations are transcripts: one
 * line for each part of a message.
 */
export interface ExpectedLog {
  readonly name: string
  readonly type: string
  readonly model?: string | null
  readonly provider?: string | null
  readonly input?: unknown
  readonly output?: unknown
  /** Fresh input, cache read, cache write, text output, reasoning; null if none are known. */
  readonly tokens?: readonly number[] | null
  readonly cost?: number | null
  readonly timeToFirstTokenMs?: number
  /** A text that the error message contains. */
  readonly error?: string
  /** The logs below this one, by start time. */
  readonly logs?: readonly ExpectedLog[]
}

export interface ExpectedTrace {
  readonly name: string
  readonly input?: unknown
  readonly output?: unknown
  readonly user?: string
  readonly session?: string
  readonly environment?: string
  readonly release?: string
  readonly tags?: readonly string[]
  readonly totals: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cost: number | null
    readonly errors: number
    readonly models: readonly string[]
    readonly unpriced?: number
    readonly estimated?: number
  }
  readonly logs: readonly ExpectedLog[]
}

const traceFields = [
  'name',
  'input',
  'output',
  'user',
  'session',
  'environment',
  'release',
  'tags',
  'totals',
] as const
const logFields = [
  'name',
  'type',
  'model',
  'provider',
  'input',
  'output',
  'tokens',
  'cost',
  'timeToFirstTokenMs',
  'error',
] as const

export interface Comparison {
  readonly right: number
  /** Fields that the capture does not contain. */
  readonly absent: number
  /** A line for each field that differs from the expectation. */
  readonly wrong: readonly string[]
}

export function compareCapture(
  expectation: readonly ExpectedTrace[],
  storedTraces: readonly StoredTrace[],
): Comparison {
  const wrong: string[] = []
  const counts = { right: 0, absent: 0 }
  const compareFields = (path: string, fields: readonly string[], want: object, actual: object) => {
    for (const field of fields) {
      if (!Object.hasOwn(want, field)) {
        counts.absent++
        continue
      }
      const [expectedValue, actualValue] = [want, actual].map(
        (each) => (each as Record<string, unknown>)[field],
      )
      if (isDeepStrictEqual(expectedValue, actualValue)) counts.right++
      else wrong.push(`${path}.${field}: expected ${text(expectedValue)}, got ${text(actualValue)}`)
    }
  }
  const compareLogs = (
    path: string,
    want: readonly ExpectedLog[],
    parentId: string | null,
    storedTrace: StoredTrace,
  ) => {
    const actual = storedTrace.logs.filter((log) => log.parentId === parentId)
    if (want.length !== actual.length) {
      wrong.push(`${path}.logs: expected ${text(want.map(nameOf))}, got ${text(actual.map(nameOf))}`)
    }
    for (const [index, expectedLog] of want.entries()) {
      const log = actual[index]
      if (log === undefined) continue
      const place = `${path}/${expectedLog.name}${want.filter((each) => each.name === expectedLog.name).length > 1 ? `[${index}]` : ''}`
      compareFields(place, logFields, expectedLog, readLog(storedTrace, log, expectedLog))
      compareLogs(place, expectedLog.logs ?? [], log.logId, storedTrace)
    }
  }
  if (expectation.length !== storedTraces.length)
    wrong.push(`${expectation.length} traces expected, got ${storedTraces.length}`)
  for (const [index, trace] of expectation.entries()) {
    const actual = storedTraces[index]
    if (actual === undefined) continue
    const path = `trace[${index}]`
    compareFields(path, traceFields, trace, readTrace(actual, trace))
    compareLogs(path, trace.logs, null, actual)
  }
  return { ...counts, wrong }
}

const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
const nameOf = ({ name }: { readonly name: string | null }) => name

function readTrace(storedTrace: StoredTrace, { totals }: ExpectedTrace) {
  const { trace, logs } = storedTrace
  const rootFirst = logs.toSorted((a, b) => Number(a.parentId !== null) - Number(b.parentId !== null))
  const first = (key: 'environment' | 'release' | 'tags') =>
    rootFirst.map((log) => factsOf(storedTrace, log)[key]).find((value) => value !== undefined)
  const all = { ...trace, cost: roundCost(trace.cost) } as unknown as Record<string, unknown>
  return {
    name: trace.name,
    input: transcriptOf(parse(trace.input)),
    output: transcriptOf(parse(trace.output)),
    user: trace.userId,
    session: trace.sessionId,
    environment: first('environment'),
    release: first('release'),
    tags: first('tags'),
    totals: Object.fromEntries(Object.keys(totals).map((key) => [key, all[key]])),
  }
}

function readLog(trace: StoredTrace, log: LogRow, { error }: ExpectedLog) {
  const buckets = [
    log.freshInputTokens,
    log.cacheReadTokens,
    log.cacheWriteTokens,
    log.textOutputTokens,
    log.reasoningTokens,
  ]
  const message = (parse(log.metadata) as { error?: { message?: string } } | null)?.error?.message ?? ''
  const milliseconds = factsOf(trace, log).timeToFirstTokenMs
  return {
    name: log.name,
    type: log.type,
    model: log.model,
    provider: log.provider,
    input: transcriptOf(parse(log.input)),
    output: transcriptOf(parse(log.output)),
    tokens: log.inputTokens === null && log.outputTokens === null ? null : buckets,
    cost: roundCost(log.cost),
    timeToFirstTokenMs: milliseconds === undefined ? undefined : Math.round(milliseconds * 1000) / 1000,
    error: error !== undefined && message.includes(error) ? error : message,
  }
}

const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json))
/** Rounds to a billionth of a dollar. */
const roundCost = (cost: number | null): number | null => (cost === null ? null : Number(cost.toFixed(9)))
