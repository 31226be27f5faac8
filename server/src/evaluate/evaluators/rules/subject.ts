/** The subject of an evaluation: a trace, one of its logs or a session, in one shape. */
import type { StoredLog, StoredTrace } from '@plumbline/contract'
import { costOf, isPossible } from '../../../ingest/usage/totals.ts'
import { durationMsOf } from '../../../json/timestamp.ts'
import type { Turn } from '../../../traces/turns.ts'

export interface Subject {
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  readonly metadata: unknown
  /** By label, from the log or from all generations of the trace; the first value of a label counts. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The outputs of retrievals, in order. */
  readonly context: readonly unknown[]
  /** All logs of the trace, or the descendants of the log. */
  readonly logs: readonly SubjectLog[]
  /** The turns of a session, the first one first; absent for a trace or a log. */
  readonly turns?: readonly SubjectTurn[]
  readonly durationMs: number | null
  readonly cost: number | null
  readonly inputTokens: number
  readonly outputTokens: number
}

export type SubjectTurn = Pick<Turn, 'input' | 'output' | 'error'>

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

/** Undefined if the trace has no such log. */
export function subjectOfLog(trace: StoredTrace, logId: string): Subject | undefined {
  const log = trace.logs.find(({ id }) => id === logId)
  if (log === undefined) return undefined
  const descendants = logsBelow(trace.logs, logId)
  // The log's own variables take precedence over those of its descendants.
  const { variables, context } = partsOf([log, ...descendants])
  const { input, output, idealOutput, metadata, startTime, endTime } = log
  const usage = usageOf(log)
  return {
    input,
    output,
    idealOutput,
    metadata,
    variables,
    context,
    logs: descendants.map(toSubjectLog),
    durationMs: durationMsOf(startTime, endTime),
    cost: usage.cost ?? null,
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
  }
}

/** All inputs and all outputs, so that an evaluator of outputs judges those of every turn. */
export function subjectOfSession(turns: readonly Turn[]): Subject {
  const durations = turns.flatMap(({ totals }) => totals.durationMs ?? [])
  const costs = turns.flatMap(({ totals }) => totals.cost ?? [])
  return {
    input: turns.map(({ input }) => input),
    output: turns.map(({ output }) => output),
    idealOutput: null,
    metadata: null,
    variables: {},
    context: [],
    logs: [],
    turns: turns.map(({ input, output, error }) => ({ input, output, error })),
    durationMs: durations.length === 0 ? null : sum(durations),
    cost: costs.length === 0 ? null : sum(costs),
    inputTokens: sum(turns.map(({ totals }) => totals.inputTokens)),
    outputTokens: sum(turns.map(({ totals }) => totals.outputTokens)),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The same numbers as in totals, which exclude impossible ones. */
function usageOf({
  cost = null,
  costEstimate = null,
  inputTokens = null,
  outputTokens = null,
}: StoredLog): Pick<SubjectLog, 'cost' | 'inputTokens' | 'outputTokens'> {
  return isPossible({ cost, inputTokens, outputTokens })
    ? { cost: costOf({ cost, costEstimate }), inputTokens, outputTokens }
    : { cost: null, inputTokens: null, outputTokens: null }
}

function logsBelow(logs: readonly StoredLog[], logId: string): StoredLog[] {
  const children = Map.groupBy(logs, ({ parentId }) => parentId)
  const descendants = new Set<StoredLog>()
  const open = [logId]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const log of children.get(id) ?? [])
      if (!descendants.has(log)) {
        descendants.add(log)
        open.push(log.id)
      }
  return logs.filter((log) => descendants.has(log))
}

function partsOf(logs: readonly StoredLog[]): Pick<Subject, 'variables' | 'context'> {
  const variables = new Map<string, unknown>()
  for (const { label, value } of logs.flatMap((log) => log.variables ?? []))
    if (!variables.has(label)) variables.set(label, value ?? null)
  const context = logs.filter(({ type }) => type === 'retrieval').map(({ output }) => output)
  return {
    variables: Object.fromEntries(variables),
    context: context.filter((document) => document !== null),
  }
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
    ...usageOf(log),
  }),
})
