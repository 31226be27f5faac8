/**
 * A trace with its logs and scores as a line of a bundle: the stored rows, so that nothing is recomputed and nothing is
 * lost. The tables below list every field; a row type with a new field does not compile until it is added here.
 */
import { invalid, type RecordedField, recordedLogFields, recordedTraceFields } from '@plumbline/contract'
import { uuidV7Pattern } from '@plumbline/contract/uuids'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { LogRow, ScoreRow, StoredTrace, TraceRow } from '@plumbline/storage/traces'

type Read<Value> = (value: unknown, path: string) => Value
type Fields<Row> = { readonly [Field in keyof Row]-?: Read<Row[Field]> }

/** Imported rows get the workspace that imports them, and no API key. */
type WithoutOwner<Row> = Omit<Row, 'workspaceId' | 'apiKeyId'>

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

const text: Read<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'must be a string')
const id: Read<string> = (value, path) =>
  typeof value === 'string' && uuidV7Pattern.test(value) ? value : refuse(path, 'must be a UUIDv7')
const flag: Read<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'must be a boolean')
const number: Read<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(path, 'must be a number')
const count: Read<number> = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuse(path, 'must be a whole number')
const micros: Read<bigint> = (value, path) => {
  const instant = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined
  if (instant === undefined || instant < int64.min || instant > int64.max)
    throw invalid(path, 'must be microseconds since 1970, as a string')
  return instant
}
const json: Read<string> = (value, path) => {
  parse(value, path)
  return String(value)
}
const object: Read<string> = (value, path) => {
  const parsed = parse(value, path)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalid(path, 'must be a JSON object as text')
  return String(value)
}
const scoreValue: Read<ScoreRow['value']> = (value, path) =>
  typeof value === 'boolean' || typeof value === 'string' ? value : number(value, path)
const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (value, path) =>
    value == null ? null : read(value, path)
const listOf =
  <Value>(read: Read<Value>): Read<Value[]> =>
  (value, path) =>
    Array.isArray(value)
      ? value.map((each, index) => read(each, `${path}[${index}]`))
      : refuse(path, 'must be an array')
/** A list that bundles of earlier versions do not have. */
const listOrNone =
  <Value>(read: Read<Value>): Read<Value[]> =>
  (value, path) =>
    value === undefined ? [] : listOf(read)(value, path)
/** Numbers by name; empty in bundles of earlier versions. */
const numbersByName: Read<Readonly<Record<string, number>>> = (value, path) => {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null) throw invalid(path, 'must be an object')
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, number(each, `${path}.${name}`)]),
  )
}
const fieldsOf =
  <Row>(fields: Fields<Row>): Read<Row> =>
  (value, path) => {
    if (typeof value !== 'object' || value === null) throw invalid(path, 'must be an object')
    const row = value as Readonly<Record<string, unknown>>
    // Safe: `fields` has a reader for each field of the row, of its type.
    return Object.fromEntries(
      Object.entries<Read<unknown>>(fields).map(([name, read]) => [name, read(row[name], `${path}.${name}`)]),
    ) as Row
  }

/** Fields that are stored as they were sent; bundles of earlier versions may lack some of them. */
const readRecorded = <Values>(fields: readonly RecordedField<Values>[]): Fields<Values> =>
  // Safe: each field is read as a value of its type.
  Object.fromEntries(
    fields.map(({ name, type }) => [
      name,
      type === 'list' ? listOrNone(text) : orNull<string | number>(type === 'number' ? number : text),
    ]),
  ) as Fields<Values>

const readTrace = fieldsOf<WithoutOwner<TraceRow>>({
  traceId: id,
  startUs: micros,
  endUs: orNull(micros),
  durationUs: orNull(micros),
  name: text,
  featureSlug: orNull(text),
  experimentId: orNull(text),
  userId: orNull(text),
  userName: orNull(text),
  organizationId: orNull(text),
  organizationName: orNull(text),
  ...readRecorded(recordedTraceFields),
  input: orNull(json),
  output: orNull(json),
  idealOutput: orNull(json),
  metadata: orNull(object),
  evaluators: orNull(json),
  judges: listOrNone(text),
  evaluationConfig: orNull(json),
  sampled: flag,
  sampleRate: orNull(number),
  sampledBy: orNull(text),
  warning: orNull(text),
  inputTokens: number,
  outputTokens: number,
  cost: orNull(number),
  tokensEstimated: flag,
  errors: count,
  logCount: count,
  models: listOf(text),
  logTypes: listOf(text),
  prompts: listOf(fieldsOf<TraceRow['prompts'][number]>({ slug: text, version: orNull(text) })),
  sent: orNull(object),
})

const readLog = fieldsOf<WithoutOwner<Omit<LogRow, 'traceId' | 'traceStartUs'>>>({
  position: count,
  logId: text,
  parentId: orNull(text),
  type: text,
  name: orNull(text),
  startUs: orNull(micros),
  endUs: orNull(micros),
  durationUs: orNull(micros),
  input: orNull(json),
  output: orNull(json),
  idealOutput: orNull(json),
  metadata: orNull(object),
  evaluators: orNull(json),
  variables: orNull(json),
  prompt: orNull(json),
  promptSlug: orNull(text),
  promptVersion: orNull(text),
  model: orNull(text),
  provider: orNull(text),
  inputTokens: orNull(number),
  outputTokens: orNull(number),
  tokensEstimated: flag,
  freshInputTokens: orNull(number),
  cacheReadTokens: orNull(number),
  cacheWriteTokens: orNull(number),
  textOutputTokens: orNull(number),
  reasoningTokens: orNull(number),
  otherTokens: numbersByName,
  serviceTier: orNull(text),
  cost: orNull(number),
  costEstimate: orNull(number),
  costDetail: orNull(json),
  countsInTotals: flag,
  costInTotals: orNull(number),
  hasError: flag,
  featureSlug: orNull(text),
  experimentId: orNull(text),
  userId: orNull(text),
  organizationId: orNull(text),
  ...readRecorded(recordedLogFields),
  sent: orNull(object),
})

const readScore = fieldsOf<WithoutOwner<Omit<ScoreRow, 'traceId'>>>({
  scoreId: id,
  logId: orNull(text),
  // Bundles of earlier versions have none.
  sessionId: (value, path) => (value == null ? null : text(value, path)),
  name: text,
  value: scoreValue,
  comment: orNull(text),
  createdAtMs: count,
  source: text,
  evaluatorSlug: orNull(text),
  evaluatorVersion: orNull(text),
  model: orNull(text),
  // Bundles of earlier versions have none.
  judgeTraceId: (value, path) => (value == null ? null : id(value, path)),
  cost: orNull(number),
  inputTokens: orNull(number),
  outputTokens: orNull(number),
  author: orNull(text),
  userId: orNull(text),
  revision: (value, path) => (value == null ? 0 : count(value, path)),
})

/** The line of a trace, without its line feed. Logs and scores do not repeat fields of the trace. */
export function writeTraceLine({ trace, logs, scores }: StoredTrace): string {
  return JSON.stringify(
    {
      type: 'trace',
      trace: withoutOwner(trace),
      logs: logs.map((log) => ({ ...withoutOwner(log), traceId: undefined, traceStartUs: undefined })),
      scores: scores.map((score) => ({ ...withoutOwner(score), traceId: undefined })),
    },
    (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
}

/** The rows of such a line; throws `invalid_request` if a row is not valid for the store. */
export function readTraceLine(line: object): StoredTrace {
  const { trace, logs, scores } = line as Readonly<Record<string, unknown>>
  const row = { ...readTrace(trace, 'trace'), ...owned }
  const { traceId, startUs: traceStartUs } = row
  return {
    trace: row,
    logs: listOf(readLog)(logs, 'logs').map((log) => ({ ...log, traceId, traceStartUs, ...owned })),
    scores: listOf(readScore)(scores, 'scores').map((score) => ({ ...score, traceId, ...owned })),
  }
}

/** The workspace is set when the rows are stored. */
const owned = { workspaceId: '', apiKeyId: null }

const withoutOwner = (row: object): object => ({ ...row, workspaceId: undefined, apiKeyId: undefined })

function parse(value: unknown, path: string): unknown {
  try {
    return parseJsonText(text(value, path))
  } catch {
    throw invalid(path, 'must be JSON text')
  }
}

function refuse(path: string, problem: string): never {
  throw invalid(path, problem)
}
