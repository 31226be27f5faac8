/** How spans of one OpenTelemetry trace hang together, whatever has arrived of it. */
import type { Span } from './span.ts'

export interface SpanTree<Each extends Span> {
  /** By their start, parents before their children. */
  readonly spans: readonly Each[]
  readonly parentOf: (span: Each) => Each | undefined
  readonly childrenOf: (span: Each) => readonly Each[]
}

/** The tree; a parent that has not come, or that would close a circle, is none. */
export function treeOf<Each extends Span>(given: readonly Each[]): SpanTree<Each> {
  // In an order of their own, so that a circle opens at the same place in whatever order they came.
  const inOrder = given.toSorted(byStart)
  const byId = new Map(inOrder.map((span) => [span.spanId, span]))
  const parents = new Map<Each, Each>()
  const depths = new Map<Each, number>()
  for (const span of byId.values()) {
    const path: Each[] = []
    const onPath = new Set<Each>()
    let at: Each | undefined = span
    while (at !== undefined && !depths.has(at)) {
      path.push(at)
      onPath.add(at)
      const parent: Each | undefined = at.parentSpanId === null ? undefined : byId.get(at.parentSpanId)
      if (parent === undefined || onPath.has(parent)) break
      parents.set(at, parent)
      at = parent
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

function byStart(a: Span, b: Span): number {
  if (a.startNs !== b.startNs) return a.startNs < b.startNs ? -1 : 1
  return a.spanId === b.spanId ? 0 : a.spanId < b.spanId ? -1 : 1
}
