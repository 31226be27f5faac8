/**
 * Which spans make which trace. An OpenTelemetry trace is one trace of ours, unless the own clients began further
 * ones in it: each of their roots but the main one is cut out with what is below it. The main one is the earliest
 * of the outermost; what stands above and beside it stays with it, so that nothing is lost. Thus a root that comes
 * late changes where spans belong, but never takes the first trace away.
 */
import { isBookkeeping, isOwnRoot } from './conventions/own-client.ts'
import type { Span } from './span.ts'
import type { SpanTree } from './span-tree.ts'

export interface CutTrace<Each extends Span> {
  /** Null for the OpenTelemetry trace itself, else the span id of the root that was cut out. */
  readonly rootId: string | null
  /** The span that speaks for the trace. */
  readonly root: Each
  /** By their start. */
  readonly spans: readonly Each[]
}

/** The traces, the one with `rootId` null first; none where there is only bookkeeping. */
export function cutTraces<Each extends Span>(tree: SpanTree<Each>): CutTrace<Each>[] {
  const tops = new Map<Each, Each>()
  const owners = new Map<Each, Each | undefined>()
  for (const span of parentsFirst(tree)) {
    const parent = tree.parentOf(span)
    tops.set(span, parent === undefined ? span : tops.get(parent)!)
    owners.set(span, isOwnRoot(span) ? span : parent === undefined ? undefined : owners.get(parent))
  }
  const isKept = (span: Each) => owners.get(span) !== undefined || !isBookkeeping(tops.get(span)!)
  const kept = tree.spans.filter(isKept)
  const isOutermost = (span: Each) => {
    const parent = tree.parentOf(span)
    return parent === undefined || owners.get(parent) === undefined
  }
  const main = kept.find((span) => owners.get(span) === span && isOutermost(span))
  const groups = new Map<Each | undefined, Each[]>()
  for (const span of kept) {
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

/** The root as OpenTelemetry knows it, else the earliest of those whose parents have not come. */
function topmost<Each extends Span>(spans: readonly Each[], { parentOf }: SpanTree<Each>): Each {
  const tops = spans.filter((span) => parentOf(span) === undefined)
  return tops.find(({ parentSpanId }) => parentSpanId === null) ?? tops[0] ?? spans[0]!
}

/** Spans may start before their parents by the clocks of two machines, so the order of starts is not enough. */
function parentsFirst<Each extends Span>({ spans, parentOf, childrenOf }: SpanTree<Each>): Each[] {
  const order = spans.filter((span) => parentOf(span) === undefined)
  // The array grows while it is walked: each span brings its children.
  for (const span of order) for (const child of childrenOf(span)) order.push(child)
  return order
}
