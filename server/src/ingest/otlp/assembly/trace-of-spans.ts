/** Derives the facts of a trace from its spans. */
import { recordedTraceFields, recordedValues } from '@plumbline/contract/recorded-values'
import { textIn } from '../../monitor/json-of.ts'
import { isSampled, samplingOf } from '../../monitor/sample.ts'
import { warningText } from '../../monitor/warning-text.ts'
import type { TraceFacts } from '../../monitor/worker/make-rows.ts'
import { checkNumbers } from '../../usage/check-numbers.ts'
import { isBookkeeping, isInTrace, isOwnRoot } from '../conventions/own-client.ts'
import type { Identity, SpanFacts } from '../facts.ts'
import { interpretSpan } from '../interpret-span.ts'
import type { LogOfSpan } from '../log-of-span.ts'
import type { ReceivedSpan } from '../span.ts'
import type { SpanTree } from '../span-tree.ts'
import type { CutTrace } from './cut-traces.ts'

interface TraceInput {
  readonly workspaceId: string
  readonly traceId: string
  readonly cut: CutTrace<ReceivedSpan>
  readonly tree: SpanTree<ReceivedSpan>
  readonly logs: readonly LogOfSpan[]
  /** The experiment that the trace joined after it was recorded, if any. */
  readonly joinedExperimentId: string | undefined
}

/** The facts of the trace: each from its root, else from the first span that has it. */
export function traceFactsOf({
  workspaceId,
  traceId,
  cut,
  tree,
  logs,
  joinedExperimentId,
}: TraceInput): TraceFacts {
  const root = logs.find(({ span }) => span === cut.root)!
  const rootFirst = [root, ...logs.filter((log) => log !== root)]
  const first = <Key extends keyof SpanFacts>(key: Key): SpanFacts[Key] | undefined => {
    for (const { read } of rootFirst) if (read.facts[key] !== undefined) return read.facts[key]
    return undefined
  }
  const experimentId =
    rootFirst.map(({ span }) => span.references.experimentId).find((id) => id !== null) ??
    joinedExperimentId ??
    null
  const sampling = samplingOf({
    sampleRate: first('sampleRate'),
    evaluatorRates: rootFirst.flatMap(({ span }) => Object.entries(span.references.evaluatorRates)),
    isInExperiment: experimentId !== null,
    hasReferences: rootFirst.some(({ read }) => (read.facts.evaluators?.length ?? 0) > 0),
  })
  // The client's sampling decision, which covers all its spans, takes precedence; traces of experiments are always evaluated.
  const sampledByClient = experimentId === null ? first('shouldEvaluate') : undefined
  const traceMetadata: Readonly<Record<string, unknown>> = {
    ...root.read.facts.metadata,
    ...first('traceMetadata'),
  }
  return {
    workspaceId,
    traceId,
    apiKeyId: root.span.apiKeyId,
    ...timesOf(logs, root),
    name: first('traceName') ?? root.facts.name,
    featureSlug:
      rootFirst.map(({ span }) => span.references.featureSlug).find((slug) => slug !== null) ?? null,
    experimentId,
    user: toIdentity(first('user')),
    organization: toIdentity(first('organization')),
    ...recordedValues(recordedTraceFields, first),
    // As in a trace sent over REST, the application's metadata may contain the session.
    sessionId:
      first('sessionId') ?? textIn(traceMetadata, 'sessionId') ?? textIn(traceMetadata, 'session_id'),
    input: first('traceInput') ?? valueOfTrace('input', root, logs, tree),
    output: first('traceOutput') ?? valueOfTrace('output', root, logs, tree),
    idealOutput: root.read.facts.idealOutput,
    metadata: Object.keys(traceMetadata).length === 0 ? null : traceMetadata,
    evaluators: root.read.facts.evaluators?.map((slug) => ({ slug })) ?? null,
    evaluationConfig: first('sampleRate') === undefined ? undefined : { sampleRate: first('sampleRate') },
    isSampled: sampledByClient ?? isSampled(traceId, sampling.sampleRate),
    sampleRate: sampling.sampleRate,
    sampledBy: sampledByClient === undefined ? sampling.sampledBy : 'client',
    warning: warningText([...new Set(rootFirst.flatMap(warningsOf))]),
    sent: null,
  }
}

const toIdentity = (who: Identity | undefined) =>
  who === undefined ? null : { id: who.id, name: who.name ?? who.id }

/** Warnings about references, times and numbers. A trace ends before it starts only if its root does. */
const warningsOf = ({ span, facts: { name, startUs, endUs, usage } }: LogOfSpan): string[] => [
  ...span.references.warnings,
  ...(startUs !== null && endUs !== null && endUs < startUs
    ? [`The span "${name}" (${span.spanId}) ends before it starts; it is stored with these times.`]
    : []),
  ...(usage === null ? [] : checkNumbers(usage, `In the span "${name}" (${span.spanId}), `)),
]

/** From the first start to the last end; without an end while the root is running. */
function timesOf(logs: readonly LogOfSpan[], root: LogOfSpan): { startUs: bigint; endUs: bigint | null } {
  let startUs = root.facts.startUs!
  let endUs = root.facts.endUs
  for (const { facts } of logs) {
    if (facts.startUs !== null && facts.startUs < startUs) startUs = facts.startUs
    if (endUs !== null && facts.endUs !== null && facts.endUs > endUs) endUs = facts.endUs
  }
  return { startUs, endUs }
}

/**
 * The root's own value, else that of a marked span of our own clients above it, else that of the topmost log with a value:
 * the first to start for the input, the last to end for the output.
 */
function valueOfTrace(
  which: 'input' | 'output',
  root: LogOfSpan,
  logs: readonly LogOfSpan[],
  tree: SpanTree<ReceivedSpan>,
): unknown {
  if (root.read[which] !== undefined) return root.read[which]
  const bySpan = new Map(logs.map((log) => [log.span, log]))
  // This trace may be nested in that of a calling application: spans above that trace's root are not part of ours.
  for (
    let ancestor = tree.parentOf(root.span);
    ancestor !== undefined && !isOwnRoot(ancestor);
    ancestor = tree.parentOf(ancestor)
  ) {
    const value = isInTrace(ancestor)
      ? (bySpan.get(ancestor)?.read ?? interpretSpan(ancestor))[which]
      : undefined
    if (value !== undefined) return value
  }
  const logsBelow = (span: ReceivedSpan) =>
    tree.childrenOf(span).flatMap((child) => (isBookkeeping(child) ? [] : (bySpan.get(child) ?? [])))
  const stepsBeside = stepsBesideCalls(which, logs)
  let level = logsBelow(root.span)
  while (level.length > 0) {
    const candidates = level.filter(
      (log) =>
        log.read[which] !== undefined && !isVector(which, log.read.facts) && !stepsBeside.has(log.facts.id),
    )
    const candidate = which === 'input' ? candidates[0] : candidates.toSorted(byEnd).at(-1)
    if (candidate !== undefined) return candidate.read[which]
    level = level.flatMap(({ span }) => logsBelow(span))
  }
  return undefined
}

/**
 * Tools and retrievals below an agent, or in a trace that calls a model elsewhere: their values are intermediate steps,
 * except for the query of a retrieval. A tool around the model call is no step: it was called itself.
 */
function stepsBesideCalls(which: 'input' | 'output', logs: readonly LogOfSpan[]): ReadonlySet<string> {
  const parents = new Map(logs.map(({ facts: { id, parentId } }) => [id, parentId]))
  const aroundCalls = new Set<string>()
  const belowAgents = new Set<string>()
  let hasCall = false
  // Parents come before their children.
  for (const { facts, read } of logs) {
    const { id, parentId } = facts
    if (read.facts.isAgent === true || belowAgents.has(parentId ?? '')) belowAgents.add(id)
    if (facts.type !== 'generation' || read.facts.isEmbedding === true) continue
    hasCall = true
    let ancestor = parentId
    while (ancestor != null && !aroundCalls.has(ancestor)) {
      aroundCalls.add(ancestor)
      ancestor = parents.get(ancestor) ?? null
    }
  }
  const isStep = ({ facts: { id, type } }: LogOfSpan) =>
    (type === 'tool' || (type === 'retrieval' && which === 'output')) &&
    !aroundCalls.has(id) &&
    (hasCall || belowAgents.has(id))
  return new Set(logs.filter(isStep).map(({ facts }) => facts.id))
}

/** The vectors of an embedding are never the output of an application. */
const isVector = (which: 'input' | 'output', { isEmbedding }: SpanFacts): boolean =>
  which === 'output' && isEmbedding === true

function byEnd({ span: a }: LogOfSpan, { span: b }: LogOfSpan): number {
  const [aEnd, bEnd] = [a.endNs ?? a.startNs, b.endNs ?? b.startNs]
  return aEnd === bEnd ? 0 : aEnd < bEnd ? -1 : 1
}
