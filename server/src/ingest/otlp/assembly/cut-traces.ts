/**
 * Assigns spans to traces. An OpenTelemetry trace is one trace of ours, unless our own clients started further traces
 * in it: then each of their roots except the main one becomes a trace with the spans below it. The main root is the
 * earliest of the outermost ones, and spans above and beside it stay with it, so that none is lost. A root that
 * arrives late therefore moves spans between traces, but never removes the first trace.
 */
import { isBookkeeping, isOwnRoot } from '../conventions/own-client.ts'
import type { Span } from '../span.ts'
import type { SpanTree } from '../span-tree.ts'

export interface CutTrace<Each extends Span> {
  /** Null for the OpenTelemetry trace itself, else the span id of the root of the cut trace. */
  readonly rootId: string | null
  /** The span whose values describe the trace. */
  readonly root: Each
  /** Ordered by start. */
  readonly spans: readonly Each[]
}

/** The traces, starting with the one whose `rootId` is null; empty when all spans are bookkeeping. */
export function cutTraces<Each extends Span>(tree: SpanTree<Each>): CutTrace<Each>[] {
  const { spans } = tree
  // Most applications use no client of ours, and their spans are one trace.
  if (spans.length > 0 && !spans.some((span) => isOwnRoot(span) || isBookkeeping(span)))
    return [{ rootId: null, root: topmost(spans, tree), spans }]
  const tops = new Map<Each, Each>()
  const owners = new Map<Each, Each | undefined>()
  for (const span of parentsFirst(tree)) {
    const parent = tree.parentOf(span)
    tops.set(span, parent === undefined ? span : tops.get(parent)!)
    owners.set(span, isOwnRoot(span) ? span : parent === undefined ? undefined : owners.get(parent))
  }
  const isKept = (span: Each) => owners.get(span) !== undefined || !isBookkeeping(tops.get(span)!)
  const remainingSpans = tree.spans.filter(isKept)
  const isOutermost = (span: Each) => {
    const parent = tree.parentOf(span)
    return parent === undefined || owners.get(parent) === undefined
  }
  const main = remainingSpans.find((span) => owners.get(span) === span && isOutermost(span))
  const groups = new Map<Each | undefined, Each[]>()
  for (const span of remainingSpans) {
    const owner = owners.get(span)
    const key = owner === main ? undefined : owner
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [span])
    else group.push(span)
  }
  return [...groups]
    .map(([root, spans]) => ({
      rootId: root?.spanId ?? null,
      root: root ?? main ?? topmost(spans, tree),
      spans,
    }))
    .sort((a, b) => Number(a.rootId !== null) - Number(b.rootId !== null))
}

/** The OpenTelemetry root, else the earliest span whose parent has not arrived. */
function topmost<Each extends Span>(spans: readonly Each[], { parentOf }: SpanTree<Each>): Each {
  const tops = spans.filter((span) => parentOf(span) === undefined)
  return tops.find(({ parentSpanId }) => parentSpanId === null) ?? tops[0] ?? spans[0]!
}

/** Clock skew can make a span start before its parent, so sorting by start is not enough. */
function parentsFirst<Each extends Span>({ spans, parentOf, childrenOf }: SpanTree<Each>): Each[] {
  const order = spans.filter((span) => parentOf(span) === undefined)
  // The array grows during the loop: each span adds its children.
  for (const span of order) for (const child of childrenOf(span)) order.push(child)
  return order
}
