/**
 * Builds the rows of an accepted record and computes tokens, costs, totals, times and names. It reads no store and no
 * clock, so that reads before draining and replays after a crash give the same rows.
 */
import type { Log, SingleLog, Trace } from '@plumbline/contract'
import {
  type RecordedTraceFields,
  recordedLogFields,
  recordedTraceFields,
  recordedValues,
} from '@plumbline/contract/recorded-values'
import { parseJsonBytes } from '@plumbline/storage/parse-json-text'
import type { LogRow, ScoreRow, TraceRow } from '@plumbline/storage/traces/rows'
import { durationOf } from '../../../json/timestamp.ts'
import { type LogUsage, totalsOf } from '../../usage/totals.ts'
import { jsonOf, textIn } from '../json-of.ts'
import type { AcceptedLog, AcceptedScore, AcceptedTrace, ServedPrompt } from '../record.ts'
import { timesOf } from '../trace-times.ts'
import { factsOfLog, type LogFacts, microsIn, type UsageFacts } from './log-facts.ts'
import { makeLogRow, type RowContext, type TraceOfLog } from './make-log-row.ts'

export interface TraceRows {
  readonly trace: TraceRow
  readonly logs: LogRow[]
}

/** The name of a trace that has no name, no feature and no named root. */
const namelessTrace = 'trace'

/** Builds the rows of a trace or a single log. */
export function makeTraceRows(
  record: AcceptedTrace | AcceptedLog,
  body: Buffer,
  context: RowContext,
): TraceRows {
  // Safe: the body passed the contract's schema before it was accepted.
  const value = parseJsonBytes(body) as unknown
  return record.type === 'trace'
    ? makeRestRows(record, value as Trace, (index) => record.prompts[index], context)
    : makeRestRows(record, traceOf(record, value as SingleLog), () => record.prompt ?? undefined, context)
}

/** Builds the row of a score. */
export function makeScoreRow(record: AcceptedScore, body: Buffer): ScoreRow {
  // Safe: the body passed the contract's schema before it was accepted.
  const score = parseJsonBytes(body) as {
    traceId: string
    logId?: string
    name: string
    value: ScoreRow['value']
    comment?: string
    createdAtMs?: number
  }
  const { given: authorship } = record
  return {
    workspaceId: record.workspaceId,
    scoreId: record.scoreId,
    traceId: score.traceId,
    logId: score.logId ?? null,
    sessionId: null,
    name: score.name,
    value: score.value,
    comment: score.comment ?? null,
    createdAtMs: score.createdAtMs ?? record.receivedAtMs,
    source: authorship?.source ?? 'api',
    evaluatorSlug: authorship?.evaluator?.slug ?? null,
    evaluatorVersion: authorship?.evaluator == null ? null : String(authorship.evaluator.version),
    model: null,
    judgeTraceId: null,
    cost: null,
    inputTokens: null,
    outputTokens: null,
    apiKeyId: record.apiKeyId,
    author: authorship?.author ?? null,
    userId: authorship?.userId ?? null,
    revision: authorship?.revision ?? 0,
  }
}

/** Turns a single log into a trace, which takes its metadata, user and organization. */
function traceOf({ logId }: AcceptedLog, input: SingleLog): Trace {
  const { slug, version, tag, name, metadata, user, organization } = input
  const recorded = recordedValues(recordedTraceFields, (field) => input[field])
  // Only the fields of the interface: a body may have other fields, of any type, which mean something in a trace.
  const generation = {
    input: input.input,
    output: input.output,
    idealOutput: input.idealOutput,
    variables: input.variables,
    startTime: input.startTime,
    endTime: input.endTime,
    inputTokens: input.inputTokens,
    outputTokens: input.outputTokens,
    cost: input.cost,
    ...recordedValues(recordedLogFields, (field) => input[field]),
    id: logId,
    type: 'generation',
    prompt: { slug, ...(version ? { version } : {}), ...(tag ? { tag } : {}) },
  }
  // Safe: `output` may be any JSON value here, unlike in a trace, and is stored as JSON text.
  return { ...recorded, name: name ?? slug, metadata, user, organization, logs: [generation as Log] } as Trace
}

function makeRestRows(
  record: AcceptedTrace | AcceptedLog,
  input: Trace,
  promptAt: (position: number) => ServedPrompt | undefined,
  context: RowContext,
): TraceRows {
  const { metadata, evaluators } = input
  const requiresOutput = record.type === 'log'
  const logs = (input.logs ?? []).map((log, index) => factsOfLog(log, promptAt(index), { requiresOutput }))
  const own = { startUs: microsIn(input.startTime), endUs: microsIn(input.endTime) }
  const facts: TraceFacts = {
    ...record,
    ...timesOf(own, logs, BigInt(record.receivedAtMs) * 1000n),
    name: input.name ?? null,
    experimentId: input.experiment?.id ?? null,
    user: toIdentity(input.user) ?? null,
    organization: toIdentity(input.organization) ?? null,
    ...recordedValues(recordedTraceFields, (field) => input[field]),
    sessionId: input.sessionId ?? textIn(metadata, 'sessionId') ?? textIn(metadata, 'session_id'),
    input: input.input,
    output: input.output,
    idealOutput: input.idealOutput,
    metadata: metadata ?? null,
    evaluators: evaluators ?? null,
    evaluationConfig: input.evaluationConfig,
    sent: fieldsWithoutColumn(input),
  }
  return makeRows(facts, logs, context)
}

/** The facts of a trace before anything is computed, in one form for every protocol. */
export interface TraceFacts extends Readonly<RecordedTraceFields> {
  readonly workspaceId: string
  readonly traceId: string
  readonly apiKeyId: string
  readonly startUs: bigint
  readonly endUs: bigint | null
  readonly name: string | null
  readonly featureSlug: string | null
  readonly experimentId: string | null
  readonly user: { readonly id: string; readonly name: string } | null
  readonly organization: { readonly id: string; readonly name: string } | null
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly evaluators: readonly { readonly slug: string }[] | null
  readonly evaluationConfig: unknown
  readonly isSampled: boolean
  readonly sampleRate: number | null
  readonly sampledBy?: string | null
  readonly warning: string | null
  /** Fields that are returned as sent but have no column. */
  readonly sent: string | null
}

/** Builds the rows of a trace and its logs from their facts. */
export function makeRows(facts: TraceFacts, logFacts: readonly LogFacts[], context: RowContext): TraceRows {
  const { workspaceId, traceId, startUs, endUs, featureSlug, experimentId, user, organization } = facts
  const traceFields: TraceOfLog = {
    workspaceId,
    traceId,
    traceStartUs: startUs,
    featureSlug,
    experimentId,
    userId: user?.id ?? null,
    organizationId: organization?.id ?? null,
  }
  const logs = logFacts.map((log, index) => makeLogRow(traceFields, log, index, context))
  const usages = logs.map((log, index) => {
    const { usage } = logFacts[index]!
    return {
      id: log.logId,
      parentId: log.parentId,
      hasError: log.hasError,
      model: log.model,
      ...(usage === null ? {} : { usage: usageOfLog(log, usage) }),
    }
  })
  const { totals, countsInTotals, costsInTotals } = totalsOf(usages)
  logs.forEach((log, index) => {
    log.countsInTotals = countsInTotals[index]!
    log.costInTotals = costsInTotals[index]!
  })
  const trace: TraceRow = {
    workspaceId,
    traceId,
    startUs,
    endUs,
    durationUs: durationOf(startUs, endUs),
    name: facts.name ?? featureSlug ?? firstRootName(logs) ?? namelessTrace,
    featureSlug,
    experimentId,
    userId: user?.id ?? null,
    userName: user?.name ?? null,
    organizationId: organization?.id ?? null,
    organizationName: organization?.name ?? null,
    ...recordedValues(recordedTraceFields, (field) => facts[field]),
    input: jsonOf(facts.input),
    output: jsonOf(facts.output),
    idealOutput: jsonOf(facts.idealOutput),
    metadata: jsonOf(facts.metadata),
    evaluators: jsonOf(facts.evaluators?.map(({ slug }) => ({ slug }))),
    judges: judgesOf(facts, logFacts),
    evaluationConfig: jsonOf(facts.evaluationConfig),
    sampled: facts.isSampled,
    sampleRate: facts.sampleRate,
    sampledBy: facts.sampledBy ?? null,
    warning: facts.warning,
    apiKeyId: facts.apiKeyId,
    inputTokens: totals.inputTokens,
    outputTokens: totals.outputTokens,
    cost: totals.cost,
    tokensEstimated: logs.some((log) => log.countsInTotals && log.tokensEstimated),
    errors: totals.errors,
    logCount: logs.length,
    models: modelsOf(logs),
    logTypes: [...new Set(logs.map(({ type }) => type))],
    prompts: usedPrompts(logs),
    sent: facts.sent,
  }
  return { trace, logs }
}

/** What totals need of a usage: the numbers of its row, and those that were sent. */
const usageOfLog = (
  row: LogRow,
  { cost, inputTokens, outputTokens, isRepeated = false }: UsageFacts,
): NonNullable<LogUsage['usage']> => ({
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  cost,
  costEstimate: row.costEstimate,
  isEstimated: inputTokens === null && outputTokens === null,
  isRepeated,
})

/** Slugs of the evaluators of the trace and its logs. */
const judgesOf = (
  { evaluators }: Pick<TraceFacts, 'evaluators'>,
  logs: readonly Pick<LogFacts, 'evaluators'>[],
): string[] => [
  ...new Set([evaluators ?? [], ...logs.map((log) => log.evaluators ?? [])].flat().map(({ slug }) => slug)),
]

/** Fields that are returned as sent but have no column. */
const fieldsWithoutColumn = ({ chainSlug }: Trace): string | null =>
  chainSlug === undefined ? null : JSON.stringify({ chainSlug })

/** A user or an organization; old clients send `{}` for none. */
const toIdentity = (identity: Trace['user']): { id: string; name: string } | undefined =>
  identity != null && 'id' in identity ? (identity as { id: string; name: string }) : undefined

/** Models in order of first use, without those that an agent repeats from its generations, perhaps under another name. */
const modelsOf = (logs: readonly LogRow[]): string[] => [
  ...new Set(
    logs.flatMap(({ type, countsInTotals, model }) =>
      type === 'generation' || countsInTotals ? (model ?? []) : [],
    ),
  ),
]

function firstRootName(logs: readonly LogRow[]): string | undefined {
  const ids = new Set(logs.map(({ logId }) => logId))
  return logs.find(({ parentId }) => parentId === null || !ids.has(parentId))?.name ?? undefined
}

function usedPrompts(logs: readonly LogRow[]): TraceRow['prompts'] {
  const used = new Map<string, TraceRow['prompts'][number]>()
  for (const { promptSlug: slug, promptVersion: version } of logs) {
    if (slug !== null) used.set(JSON.stringify([slug, version]), { slug, version })
  }
  return [...used.values()]
}
