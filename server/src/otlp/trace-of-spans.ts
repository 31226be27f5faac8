/** What spans say of the trace they make. */
import { textIn } from '../monitor/json-of.ts'
import type { TraceFacts } from '../monitor/make-rows.ts'
import { isSampled, samplingOf } from '../monitor/sample.ts'
import { isInTrace } from './conventions/own-client.ts'
import type { CutTrace } from './cut-traces.ts'
import type { Identity, SpanFacts } from './facts.ts'
import type { LogOfSpan } from './log-of-span.ts'
import type { ReceivedSpan } from './span.ts'
import type { SpanTree } from './span-tree.ts'

interface Made {
  readonly workspaceId: string
  readonly traceId: string
  readonly cut: CutTrace<ReceivedSpan>
  readonly tree: SpanTree<ReceivedSpan>
  readonly logs: readonly LogOfSpan[]
  /** The experiment that the trace has joined since, if it has. */
  readonly joined: string | undefined
}

/** The trace: what its root says, else the first span that says it. */
export function traceFactsOf({ workspaceId, traceId, cut, tree, logs, joined }: Made): TraceFacts {
  const root = logs.find(({ span }) => span === cut.root)!
  const inOrder = [root, ...logs.filter((log) => log !== root)]
  const first = <Key extends keyof SpanFacts>(key: Key) =>
    inOrder.map(({ read }) => read.facts[key]).find((value) => value !== undefined)
  const experimentId =
    inOrder.map(({ span }) => span.resolved.experimentId).find((id) => id !== null) ?? joined ?? null
  const sampling = samplingOf({
    sampleRate: first('sampleRate'),
    evaluatorRates: inOrder.flatMap(({ span }) => Object.entries(span.resolved.evaluatorRates)),
    isInExperiment: experimentId !== null,
    hasReferences: inOrder.some(({ read }) => (read.facts.evaluators?.length ?? 0) > 0),
  })
  // A client that has drawn already, for all its spans alike, is not overruled; an experiment is judged in any case.
  const drawnByClient = experimentId === null ? first('shouldEvaluate') : undefined
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
    featureSlug: inOrder.map(({ span }) => span.resolved.featureSlug).find((slug) => slug !== null) ?? null,
    experimentId,
    user: named(first('user')),
    organization: named(first('organization')),
    // As in a trace sent over REST, the application's own metadata may name the session.
    sessionId:
      first('sessionId') ?? textIn(traceMetadata, 'sessionId') ?? textIn(traceMetadata, 'session_id'),
    input: first('traceInput') ?? valueOfTrace('input', root, logs, tree),
    output: first('traceOutput') ?? valueOfTrace('output', root, logs, tree),
    idealOutput: root.read.facts.idealOutput,
    metadata: Object.keys(traceMetadata).length === 0 ? null : traceMetadata,
    evaluators: root.read.facts.evaluators?.map((slug) => ({ slug })) ?? null,
    evaluationConfig: first('sampleRate') === undefined ? undefined : { sampleRate: first('sampleRate') },
    isSampled: drawnByClient ?? isSampled(traceId, sampling.sampleRate),
    sampleRate: sampling.sampleRate,
    sampledBy: drawnByClient === undefined ? sampling.sampledBy : 'client',
    warning: [...new Set(inOrder.flatMap(({ span }) => span.resolved.warnings))].join(' ') || null,
    sent: null,
  }
}

const named = (who: Identity | undefined) =>
  who === undefined ? null : { id: who.id, name: who.name ?? who.id }

/** From the first start to the last end; running while the root is. */
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
 * The root's own value; else that of a span above it which the own clients marked; else of the uppermost log that has
 * one: the first to begin tells what went in, the last to end what came out.
 */
function valueOfTrace(
  which: 'input' | 'output',
  root: LogOfSpan,
  logs: readonly LogOfSpan[],
  tree: SpanTree<ReceivedSpan>,
): unknown {
  if (root.read[which] !== undefined) return root.read[which]
  const bySpan = new Map(logs.map((log) => [log.span, log]))
  for (let above = tree.parentOf(root.span); above !== undefined; above = tree.parentOf(above)) {
    const value = isInTrace(above) ? bySpan.get(above)?.read[which] : undefined
    if (value !== undefined) return value
  }
  let level = [...tree.childrenOf(root.span)].flatMap((span) => bySpan.get(span) ?? [])
  while (level.length > 0) {
    const telling = level.filter(({ read }) => read[which] !== undefined && !isVector(which, read.facts))
    const chosen = which === 'input' ? telling[0] : telling.toSorted(byEnd).at(-1)
    if (chosen !== undefined) return chosen.read[which]
    level = level.flatMap(({ span }) => tree.childrenOf(span).flatMap((child) => bySpan.get(child) ?? []))
  }
  return undefined
}

/** What an embedding gives is for machines: nobody would take it for the answer of the application. */
const isVector = (which: 'input' | 'output', { isEmbedding }: SpanFacts): boolean =>
  which === 'output' && isEmbedding === true

function byEnd({ span: a }: LogOfSpan, { span: b }: LogOfSpan): number {
  const [aEnd, bEnd] = [a.endNs ?? a.startNs, b.endNs ?? b.startNs]
  return aEnd === bEnd ? 0 : aEnd < bEnd ? -1 : 1
}
