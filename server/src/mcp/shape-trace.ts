/** Shapes a trace for a model: a run of thousands of logs would fill its context. */

type Fields = Readonly<Record<string, unknown>>

/** Above this many, logs are shown without their values. */
const wholeLogsMax = 30
/** Above this many, the rest of the outline is only counted. */
const outlinedLogsMax = 400

/** The fields of a log in an outline. */
const outline = [
  'id',
  'parentId',
  'type',
  'name',
  'startTime',
  'durationMs',
  'model',
  'inputTokens',
  'outputTokens',
  'cost',
] as const

/** The response of traces.outline: few logs in full, many logs in outline. */
export function shapeTrace(answer: unknown): unknown {
  // Safe: traces.outline succeeded, and its response has this form by the contract.
  const { trace } = answer as { trace: { logs?: readonly Fields[]; logCount: number } & Fields }
  const { logs = [], logCount } = trace
  if (logCount === logs.length && logCount <= wholeLogsMax) return answer
  const outlinedLogs = logs.slice(0, outlinedLogsMax)
  const left = logCount - outlinedLogs.length
  return {
    trace: { ...trace, logs: outlinedLogs.map(toOutline) },
    note: `The values of the logs are left out; open_log shows a whole log.${left === 0 ? '' : ` find_logs has the ${left} logs that are not listed here.`}`,
  }
}

function toOutline(log: Fields): Fields {
  const entries = outline.flatMap((field) => (log[field] == null ? [] : [[field, log[field]] as const]))
  const { error } = (log.metadata ?? {}) as Fields
  return Object.fromEntries(error === undefined ? entries : [...entries, ['error', error] as const])
}
