/** The time axis that all rows of a waterfall share. Pure. */
import type { LogNode } from './trace-tree.ts'

export interface TimeAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** From the first start to the last end; of what runs still, to `nowMs`. */
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
  /** Shares of the axis. */
  readonly left: number
  readonly width: number
  readonly isRunning: boolean
}

/** Where the bar of a log is; undefined for a log without times. A log without an end reaches to the end of the axis. */
export function barOf({ startMs, endMs }: LogNode, { fromMs, toMs }: TimeAxis): Bar | undefined {
  const from = startMs ?? endMs
  if (from === undefined) return undefined
  const share = (ms: number): number => Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)))
  const left = share(from)
  const isRunning = endMs === undefined
  return { left, width: Math.max(0, (isRunning ? 1 : share(endMs)) - left), isRunning }
}

/** Round instants on the axis, in milliseconds from its start; at most `max` of them. */
export function ticksOf({ fromMs, toMs }: TimeAxis, most: number): readonly number[] {
  const total = toMs - fromMs
  const rough = total / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const ticks: number[] = []
  for (let count = 0; count * step <= total * 0.999; count += 1) ticks.push(count * step)
  return ticks
}
