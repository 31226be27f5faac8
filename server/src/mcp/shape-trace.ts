/** A trace as a model can read it: a run of thousands of logs would fill its context. */

type Fields = Readonly<Record<string, unknown>>

/** Above this many, logs are shown without their values. */
const wholeLogsMax = 30
/** Above this many, the rest of the outline is only counted. */
const outlinedLogsMax = 400

/** What an outline shows of a log. */
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

/** The answer of traces.get: with the logs named whole, else with few logs whole or many in outline. */
export function shapeTrace(answer: unknown, { logIds }: Fields): unknown {
  // Safe: traces.get answered, and its answer has this form by the contract.
  const { trace } = answer as { trace: { logs: readonly Fields[] } & Fields }
  if (Array.isArray(logIds)) {
    const ids = new Set(logIds)
    const { id, name } = trace
    return { trace: { id, name, logs: trace.logs.filter((log) => ids.has(log.id)) } }
  }
  if (trace.logs.length <= wholeLogsMax) return answer
  const outlinedLogs = trace.logs.slice(0, outlinedLogsMax)
  const left = trace.logs.length - outlinedLogs.length
  return {
    trace: { ...trace, logs: outlinedLogs.map(toOutline) },
    note: `The logs are shown in outline; name logIds to see their values.${left === 0 ? '' : ` ${left} more logs are not shown.`}`,
  }
}

function toOutline(log: Fields): Fields {
  const entries = outline.flatMap((field) => (log[field] == null ? [] : [[field, log[field]] as const]))
  const { error } = (log.metadata ?? {}) as Fields
  return Object.fromEntries(error === undefined ? entries : [...entries, ['error', error] as const])
}
