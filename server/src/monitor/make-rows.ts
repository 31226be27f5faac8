/**
 * Rows of an accepted record, and everything that is computed: tokens, costs, totals, times, names. It asks no
 * store and no clock, so that a record read before it is drained, and one replayed after a crash, are the same.
 */
import type { Log, SingleLog, Trace } from '@plumbline/contract'
import type { LogRow, ScoreRow, TraceRow } from '@plumbline/storage/traces/rows'
import { costOf, totalsOf } from '../usage/totals.ts'
import { jsonOf, textIn } from './json-of.ts'
import { factsOfLog, type LogFacts } from './log-facts.ts'
import { type Means, makeLogRow, type TraceOfLog } from './make-log-row.ts'
import type { Accepted, AcceptedLog, AcceptedScore, AcceptedTrace, ServedPrompt } from './record.ts'
import { readTimestamp } from './timestamp.ts'

export interface TraceRows {
  readonly trace: TraceRow
  readonly logs: LogRow[]
}

/** The name of a trace to which neither the client, nor its feature, nor its logs give one. */
const namelessTrace = 'trace'

/** Rows of a trace or a single log. */
export function makeTraceRows(accepted: AcceptedTrace | AcceptedLog, body: Buffer, means: Means): TraceRows {
  // Safe: the body passed the contract's schema before it was accepted.
  const sent = parse(body) as unknown
  return accepted.type === 'trace'
    ? makeSentRows(accepted, sent as Trace, (at) => accepted.prompts[at], means)
    : makeSentRows(accepted, traceOf(accepted, sent as SingleLog), () => accepted.prompt ?? undefined, means)
}

/** Row of a score. */
export function makeScoreRow(accepted: AcceptedScore, body: Buffer): ScoreRow {
  // Safe: the body passed the contract's schema before it was accepted.
  const sent = parse(body) as {
    traceId: string
    logId?: string
    name: string
    value: ScoreRow['value']
    comment?: string
    createdAtMs?: number
  }
  const { given } = accepted
  return {
    workspaceId: accepted.workspaceId,
    scoreId: accepted.scoreId,
    traceId: sent.traceId,
    logId: sent.logId ?? null,
    name: sent.name,
    value: sent.value,
    comment: sent.comment ?? null,
    createdAtMs: sent.createdAtMs ?? accepted.receivedAtMs,
    source: given?.source ?? 'api',
    evaluatorSlug: given?.evaluator?.slug ?? null,
    evaluatorVersion: given?.evaluator == null ? null : String(given.evaluator.version),
    model: null,
    cost: null,
    inputTokens: null,
    outputTokens: null,
    apiKeyId: accepted.apiKeyId,
    author: given?.author ?? null,
    userId: given?.userId ?? null,
    revision: given?.revision ?? 0,
  }
}

export const isScore = (accepted: Accepted): accepted is AcceptedScore => accepted.type === 'score'

function parse(body: Buffer): unknown {
  const text = body.toString('utf8')
  return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
}

/** A single log as the trace that it stands for: its metadata, user and organization belong to the trace. */
function traceOf({ logId }: AcceptedLog, sent: SingleLog): Trace {
  const { slug, version, tag, name, metadata, user, organization, ...ofLog } = sent
  const generation = {
    ...ofLog,
    id: logId,
    type: 'generation',
    prompt: { slug, ...(version ? { version } : {}), ...(tag ? { tag } : {}) },
  }
  // Safe: `output` may be any JSON value here, wider than in a trace; it is stored as its text like any other.
  return { name: name ?? slug, metadata, user, organization, logs: [generation as Log] } as Trace
}

function makeSentRows(
  accepted: AcceptedTrace | AcceptedLog,
  sent: Trace,
  promptAt: (position: number) => ServedPrompt | undefined,
  means: Means,
): TraceRows {
  const sentLogs = sent.logs ?? []
  const { metadata, evaluators } = sent
  const facts: TraceFacts = {
    ...accepted,
    ...timesOf(sent, sentLogs, BigInt(accepted.receivedAtMs) * 1000n),
    name: sent.name ?? null,
    experimentId: sent.experiment?.id ?? null,
    user: identified(sent.user) ?? null,
    organization: identified(sent.organization) ?? null,
    sessionId: textIn(metadata, 'sessionId') ?? textIn(metadata, 'session_id'),
    input: sent.input,
    output: sent.output,
    idealOutput: sent.idealOutput,
    metadata: metadata ?? null,
    evaluators: evaluators ?? null,
    evaluationConfig: sent.evaluationConfig,
    sent: sentOnly(sent),
  }
  return makeRows(
    facts,
    sentLogs.map((log, at) => factsOfLog(log, promptAt(at))),
    means,
  )
}

/** What is known of a trace before anything is computed, in one shape for every way that a trace can arrive. */
export interface TraceFacts {
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
  readonly sessionId: string | null
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
  /** What was sent, has to be given back, and has no column of its own. */
  readonly sent: string | null
}

/** Rows of a trace and its logs: what is known of them, and what is computed from that. */
export function makeRows(facts: TraceFacts, logFacts: readonly LogFacts[], means: Means): TraceRows {
  const { workspaceId, traceId, startUs, endUs, featureSlug, experimentId, user, organization } = facts
  const of: TraceOfLog = {
    workspaceId,
    traceId,
    traceStartUs: startUs,
    featureSlug,
    experimentId,
    userId: user?.id ?? null,
    organizationId: organization?.id ?? null,
  }
  const logs = logFacts.map((log, at) => makeLogRow(of, log, at, means))
  const usages = logs.map((log, at) => {
    const { usage } = logFacts[at]!
    return {
      id: log.logId,
      parentId: log.parentId,
      hasError: log.hasError,
      model: log.model,
      ...(usage === null ? {} : { usage: { ...log, cost: usage.cost } }),
    }
  })
  const { totals, countsInTotals } = totalsOf(usages)
  logs.forEach((log, at) => {
    log.countsInTotals = countsInTotals[at]!
    log.costInTotals = log.countsInTotals ? costOf(usages[at]!) : null
  })
  const trace: TraceRow = {
    workspaceId,
    traceId,
    startUs,
    endUs,
    durationUs: endUs === null ? null : endUs - startUs,
    name: facts.name ?? featureSlug ?? firstRootName(logs) ?? namelessTrace,
    featureSlug,
    experimentId,
    userId: user?.id ?? null,
    userName: user?.name ?? null,
    organizationId: organization?.id ?? null,
    organizationName: organization?.name ?? null,
    sessionId: facts.sessionId,
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

/** Who would judge the trace or one of its logs. */
const judgesOf = (
  { evaluators }: Pick<TraceFacts, 'evaluators'>,
  logs: readonly Pick<LogFacts, 'evaluators'>[],
): string[] => [
  ...new Set([evaluators ?? [], ...logs.map((log) => log.evaluators ?? [])].flat().map(({ slug }) => slug)),
]

/** Given times win; missing ones are the earliest start and the latest end of a log, then the arrival and none. */
function timesOf(
  sent: Trace,
  logs: readonly Log[],
  arrivalUs: bigint,
): { startUs: bigint; endUs: bigint | null } {
  let startUs = sent.startTime == null ? undefined : readTimestamp(sent.startTime)
  let endUs = sent.endTime == null ? undefined : readTimestamp(sent.endTime)
  if (startUs === undefined) {
    for (const { startTime } of logs) {
      const start = startTime == null ? undefined : readTimestamp(startTime)
      if (start !== undefined && (startUs === undefined || start < startUs)) startUs = start
    }
  }
  if (endUs === undefined) {
    for (const { endTime } of logs) {
      const end = endTime == null ? undefined : readTimestamp(endTime)
      if (end !== undefined && (endUs === undefined || end > endUs)) endUs = end
    }
  }
  return { startUs: startUs ?? arrivalUs, endUs: endUs ?? null }
}

/** What is returned as sent but has no column of its own. */
const sentOnly = ({ chainSlug }: Trace): string | null =>
  chainSlug === undefined ? null : JSON.stringify({ chainSlug })

/** Old clients send `{}` where they mean none. */
const identified = (of: Trace['user']): { id: string; name: string } | undefined =>
  of != null && 'id' in of ? (of as { id: string; name: string }) : undefined

/** Models in order of first use; what an agent repeats of its generations, perhaps by another name, is left out. */
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
