/** The tree of the spans of one OpenTelemetry trace that have arrived so far. */
import type { Span } from './span.ts'

export interface SpanTree<Each extends Span> {
  /** Ordered by start, parents before their children. */
  readonly spans: readonly Each[]
  readonly parentOf: (span: Each) => Each | undefined
  readonly childrenOf: (span: Each) => readonly Each[]
}

/** Builds the tree; ignores a parent that has not arrived or that would close a cycle. */
export function treeOf<Each extends Span>(spansOfTrace: readonly Each[]): SpanTree<Each> {
  // Sorted, so that a cycle is broken at the same span in any order of arrival.
  const ordered = spansOfTrace.toSorted(byStart)
  const byId = new Map(ordered.map((span) => [span.spanId, span]))
  const parents = new Map<Each, Each>()
  const depths = new Map<Each, number>()
  for (const span of byId.values()) {
    const path: Each[] = []
    let current: Each | undefined = span
    while (current !== undefined && !depths.has(current)) {
      path.push(current)
      depths.set(current, onPath)
      const parent: Each | undefined =
        current.parentSpanId === null ? undefined : byId.get(current.parentSpanId)
      if (parent === undefined || depths.get(parent) === onPath) break
      parents.set(current, parent)
      current = parent
    }
    for (const each of path.toReversed()) {
      const parent = parents.get(each)
      depths.set(each, parent === undefined ? 0 : depths.get(parent)! + 1)
    }
  }
  const spans = [...byId.values()].sort((a, b) =>
    a.startNs === b.startNs && depths.get(a) !== depths.get(b)
      ? depths.get(a)! - depths.get(b)!
      : byStart(a, b),
  )
  const children = new Map<Each, Each[]>()
  for (const span of spans) {
    const parent = parents.get(span)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [span])
    else siblings.push(span)
  }
  return {
    spans,
    parentOf: (span) => parents.get(span),
    childrenOf: (span) => children.get(span) ?? [],
  }
}

/** Marks a span while the path to its root is followed. */
const onPath = -1

function byStart(a: Span, b: Span): number {
  if (a.startNs !== b.startNs) return a.startNs < b.startNs ? -1 : 1
  return a.spanId === b.spanId ? 0 : a.spanId < b.spanId ? -1 : 1
}
