/** The time axis that all rows of a waterfall share. Pure. */
import type { LogNode } from './trace-tree.ts'

export interface TimeAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** From the first start to the last end; until `nowMs` if something is still running. */
export function axisOf(
  nodes: readonly LogNode[],
  trace: { readonly startMs: number; readonly endMs: number | undefined },
): TimeAxis {
  let fromMs = trace.startMs
  let toMs = trace.endMs ?? trace.startMs
  for (const { startMs, endMs } of nodes) {
    if (startMs !== undefined) {
      fromMs = Math.min(fromMs, startMs)
      toMs = Math.max(toMs, startMs)
    }
    if (endMs !== undefined) toMs = Math.max(toMs, endMs)
  }
  return { fromMs, toMs: toMs > fromMs ? toMs : fromMs + 1 }
}

export interface Bar {
  /** Fractions of the axis. */
  readonly left: number
  readonly width: number
  readonly isRunning: boolean
}

/**
 * The position of a log's bar; undefined for a log without times. A log without an end extends to the end of the
 * axis.
 */
export function barOf({ startMs, endMs }: LogNode, { fromMs, toMs }: TimeAxis): Bar | undefined {
  const from = startMs ?? endMs
  if (from === undefined) return undefined
  const share = (ms: number): number => Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)))
  const left = share(from)
  const isRunning = endMs === undefined
  return { left, width: Math.max(0, (isRunning ? 1 : share(endMs)) - left), isRunning }
}

/** How much later than its parent a log ended, in milliseconds; 0 if it ended in time, or if that is unknown. */
export function overrunOf(
  { parent, endMs }: LogNode,
  nodes: readonly LogNode[],
  traceEndMs: number | undefined,
): number {
  const parentEndMs = parent === undefined ? traceEndMs : nodes[parent]?.endMs
  if (endMs === undefined || parentEndMs === undefined) return 0
  const lateMs = endMs - parentEndMs
  return lateMs < overrunMinMs ? 0 : lateMs
}

/** Smaller differences are attributed to clock skew. */
const overrunMinMs = 1

/** Round tick positions, in milliseconds from the start of the axis; at most `max`. */
export function ticksOf({ fromMs, toMs }: TimeAxis, most: number): readonly number[] {
  const total = toMs - fromMs
  const step = stepOf(total / most)
  const ticks: number[] = []
  for (let count = 0; count * step <= total * 0.999; count += 1) ticks.push(count * step)
  return ticks
}

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000]

/** Round steps for minutes and hours, for which powers of ten are not round. */
const clockSteps = [20 * secondMs, 30 * secondMs].concat(
  [1, 2, 5, 10, 20, 30].map((count) => count * minuteMs),
  [1, 2, 3, 6, 12].map((count) => count * hourMs),
  dayMs,
)

/** The smallest round step that is not shorter. */
function stepOf(leastMs: number): number {
  const clockStep = leastMs <= 10 * secondMs ? undefined : clockSteps.find((step) => step >= leastMs)
  if (clockStep !== undefined) return clockStep
  const unit = leastMs > dayMs ? dayMs : 1
  const power = 10 ** Math.floor(Math.log10(leastMs / unit))
  const step = [1, 2, 5, 10].map((factor) => factor * power * unit).find((size) => size >= leastMs)
  return step ?? leastMs
}
