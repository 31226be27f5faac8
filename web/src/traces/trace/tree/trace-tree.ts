/** The logs of a trace as a tree, with cost and time summed over descendants. Pure. */
import type { StoredLog } from '@plumbline/sdk'

/** Sums of a log and of everything below it. */
export interface RollUp {
  readonly cost: number | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether the service counted any of the tokens. */
  readonly tokensEstimated: boolean
  /** The number of failed logs. */
  readonly errors: number
  /** The number of descendants. */
  readonly logs: number
}

export interface LogNode {
  readonly log: StoredLog
  readonly depth: number
  /** The index in reading order, in which the descendants of a node follow it contiguously. */
  readonly index: number
  /** The index after the last descendant. */
  readonly end: number
  readonly parent: number | undefined
  readonly startMs: number | undefined
  /** Undefined while it is running, or if it was not sent. */
  readonly endMs: number | undefined
  readonly isFailed: boolean
  readonly sums: RollUp
}

const timeOf = (text: string | null): number | undefined => {
  if (text === null) return undefined
  const ms = Date.parse(text)
  // A Date has only milliseconds; the digits after them distinguish fast steps.
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? ''
  return Number.isNaN(ms) ? undefined : ms + Number(micros.padEnd(3, '0')) / 1000
}

/** The error of a client or a span; undefined if nothing failed. */
export function errorOf({ metadata }: Pick<StoredLog, 'metadata'>): unknown {
  const error = metadata?.error
  return error === undefined || error === null || error === false || error === '' ? undefined : error
}

interface Draft {
  readonly log: StoredLog
  readonly children: Draft[]
}

/**
 * All nodes in reading order: siblings as the client sent them, parents before children. A log whose parent was not
 * sent is at the top level.
 */
export function treeOf(logs: readonly StoredLog[]): readonly LogNode[] {
  const drafts = logs.map((log): Draft => ({ log, children: [] }))
  const byId = new Map(drafts.map((draft) => [draft.log.id, draft]))
  const tops: Draft[] = []
  for (const draft of drafts) {
    const { parentId, id } = draft.log
    const parent = parentId === null || parentId === id ? undefined : byId.get(parentId)
    if (parent === undefined) tops.push(draft)
    else parent.children.push(draft)
  }
  return numberNodes(tops)
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function numberNodes(tops: readonly Draft[]): readonly LogNode[] {
  const nodes: Mutable<LogNode>[] = []
  // An explicit stack, because logs may be nested deeper than the call stack allows.
  const waiting: { draft: Draft; depth: number; parent: number | undefined }[] = tops
    .toReversed()
    .map((draft) => ({ draft, depth: 0, parent: undefined }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { draft, depth, parent } = next
    const index = nodes.length
    nodes.push(nodeOf(draft.log, depth, index, parent))
    for (const child of draft.children.toReversed()) {
      waiting.push({ draft: child, depth: depth + 1, parent: index })
    }
  }
  // In reverse order, so that children are summed before their parents.
  for (const node of nodes.toReversed()) {
    node.end = Math.max(node.end, node.index + 1)
    const parent = node.parent === undefined ? undefined : nodes[node.parent]
    if (parent === undefined) continue
    parent.end = Math.max(parent.end, node.end)
    parent.sums = sumOf(parent.sums, node.sums)
  }
  return nodes
}

function nodeOf(log: StoredLog, depth: number, index: number, parent: number | undefined): Mutable<LogNode> {
  const isFailed = errorOf(log) !== undefined
  const counts = log.countsInTotals !== false
  return {
    log,
    depth,
    index,
    end: index + 1,
    parent,
    startMs: timeOf(log.startTime),
    endMs: timeOf(log.endTime),
    isFailed,
    sums: {
      // 0 if an ancestor or a descendant reports the cost.
      cost: log.costInTotals === 0 && log.cost !== 0 ? null : (log.costInTotals ?? null),
      inputTokens: counts ? (log.inputTokens ?? 0) : 0,
      outputTokens: counts ? (log.outputTokens ?? 0) : 0,
      tokensEstimated: counts && log.tokensEstimated === true,
      errors: isFailed ? 1 : 0,
      logs: 0,
    },
  }
}

const sumOf = (total: RollUp, child: RollUp): RollUp => ({
  cost: total.cost === null ? child.cost : total.cost + (child.cost ?? 0),
  inputTokens: total.inputTokens + child.inputTokens,
  outputTokens: total.outputTokens + child.outputTokens,
  tokensEstimated: total.tokensEstimated || child.tokensEstimated,
  errors: total.errors + child.errors,
  logs: total.logs + child.logs + 1,
})

/** The self time of a log: its duration without that of its children. */
export function selfMs(nodes: readonly LogNode[], node: LogNode): number | undefined {
  if (node.startMs === undefined || node.endMs === undefined) return undefined
  const spans: [number, number][] = []
  for (let index = node.index + 1; index < node.end; index = nodes[index]?.end ?? node.end) {
    const child = nodes[index]
    if (child?.startMs === undefined || child.endMs === undefined) continue
    spans.push([Math.max(child.startMs, node.startMs), Math.min(child.endMs, node.endMs)])
  }
  spans.sort(([a], [b]) => a - b)
  let coveredMs = 0
  let reached = node.startMs
  for (const [from, to] of spans) {
    coveredMs += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return Math.max(0, node.endMs - node.startMs - coveredMs)
}
