/** What evaluators look at: a trace, or one log of it, in one shape. */
import type { StoredLog, StoredTrace } from '@plumbline/contract'

export interface Subject {
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  readonly metadata: unknown
  /** By label: of the log, or of all generations of the trace, where the first to name one counts. */
  readonly variables: Readonly<Record<string, unknown>>
  /** What was retrieved: the outputs of retrievals, in their order. */
  readonly context: readonly unknown[]
  /** All of the trace, or those below the log. */
  readonly logs: readonly SubjectLog[]
  readonly durationMs: number | null
  readonly cost: number | null
  readonly inputTokens: number
  readonly outputTokens: number
}

export type SubjectLog = Pick<
  StoredLog,
  | 'id'
  | 'parentId'
  | 'type'
  | 'name'
  | 'input'
  | 'output'
  | 'idealOutput'
  | 'metadata'
  | 'startTime'
  | 'endTime'
> &
  Partial<Pick<StoredLog, 'variables' | 'model' | 'inputTokens' | 'outputTokens' | 'cost'>>

/** A whole trace. */
export function subjectOfTrace(trace: StoredTrace): Subject {
  const { input, output, idealOutput, metadata, totals } = trace
  return {
    input,
    output,
    idealOutput,
    metadata,
    ...partsOf(trace.logs),
    logs: trace.logs.map(toSubjectLog),
    durationMs: totals.durationMs,
    cost: totals.cost,
    inputTokens: totals.inputTokens,
    outputTokens: totals.outputTokens,
  }
}

/** One log of a trace; undefined where the trace has none of that id. */
export function subjectOfLog(trace: StoredTrace, logId: string): Subject | undefined {
  const log = trace.logs.find(({ id }) => id === logId)
  if (log === undefined) return undefined
  const below = logsBelow(trace.logs, logId)
  // What the log has of its own comes before what those below it have.
  const { variables, context } = partsOf([log, ...below])
  const { input, output, idealOutput, metadata, startTime, endTime } = log
  return {
    input,
    output,
    idealOutput,
    metadata,
    variables,
    context,
    logs: below.map(toSubjectLog),
    durationMs: startTime === null || endTime === null ? null : Date.parse(endTime) - Date.parse(startTime),
    cost: log.cost ?? null,
    inputTokens: log.inputTokens ?? 0,
    outputTokens: log.outputTokens ?? 0,
  }
}

function logsBelow(logs: readonly StoredLog[], logId: string): StoredLog[] {
  const children = Map.groupBy(logs, ({ parentId }) => parentId)
  const below = new Set<StoredLog>()
  const open = [logId]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const log of children.get(id) ?? [])
      if (!below.has(log)) {
        below.add(log)
        open.push(log.id)
      }
  return logs.filter((log) => below.has(log))
}

function partsOf(logs: readonly StoredLog[]): Pick<Subject, 'variables' | 'context'> {
  const variables = new Map<string, unknown>()
  for (const { label, value } of logs.flatMap((log) => log.variables ?? []))
    if (!variables.has(label)) variables.set(label, value ?? null)
  const context = logs.filter(({ type }) => type === 'retrieval').map(({ output }) => output)
  return { variables: Object.fromEntries(variables), context: context.filter((of) => of !== null) }
}

const toSubjectLog = (log: StoredLog): SubjectLog => ({
  id: log.id,
  parentId: log.parentId,
  type: log.type,
  name: log.name,
  input: log.input,
  output: log.output,
  idealOutput: log.idealOutput,
  metadata: log.metadata,
  startTime: log.startTime,
  endTime: log.endTime,
  ...(log.type === 'generation' && {
    variables: log.variables ?? null,
    model: log.model ?? null,
    inputTokens: log.inputTokens ?? null,
    outputTokens: log.outputTokens ?? null,
    cost: log.cost ?? null,
  }),
})
