/** A trace as the screen needs it: its logs as a tree, and its times as numbers. Pure. */
import type { StoredTrace } from '@plumbline/sdk'
import { type LogNode, treeOf } from './tree/trace-tree.ts'

export interface ReadTrace {
  readonly trace: StoredTrace
  readonly nodes: readonly LogNode[]
  /** The root span of an OpenTelemetry trace, if the row of the trace represents it. */
  readonly root: LogNode | undefined
  readonly byId: ReadonlyMap<string, LogNode>
  readonly startMs: number
  readonly endMs: number | undefined
  /** Set if the logs are loaded page by page without inputs, outputs and metadata; undefined if they are complete. */
  readonly outline: Outline | undefined
}

export interface Outline {
  /** The number of logs in the trace. */
  readonly logCount: number
  readonly isComplete: boolean
}

export function readTrace(trace: StoredTrace, outline?: Outline): ReadTrace {
  const nodes = treeOf(trace.logs)
  return {
    trace,
    nodes,
    root: rootOf(trace, nodes),
    byId: new Map(nodes.map((node) => [node.log.id, node])),
    startMs: Date.parse(trace.startTime),
    endMs: trace.endTime === null ? undefined : Date.parse(trace.endTime),
    outline,
  }
}

/** A root with another name adds information, and with several roots none represents the trace. */
function rootOf({ name }: StoredTrace, nodes: readonly LogNode[]): LogNode | undefined {
  const [first] = nodes
  if (first === undefined || first.end !== nodes.length || first.log.name !== name) return undefined
  return first.log.metadata?.otel == null ? undefined : first
}
