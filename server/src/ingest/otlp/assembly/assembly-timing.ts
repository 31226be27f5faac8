/** How often a growing trace is assembled again, and when it settles. */
import { quietMs } from '@plumbline/storage/control'

const pauseMs = { least: 200, perSpan: 1, most: 30_000 }

/**
 * How long after the first span of a trace further spans join it; later ones start another trace. This is a day less
 * than the trace store keeps spans, so that a trace is never assembled from only some of its spans.
 */
export const assemblyKeptMs = 7 * 24 * 3_600_000

/**
 * The pause after an assembly. It grows with the number of spans, as the work does (about 0.1 ms per span), so that
 * assembly takes the same small fraction of the time for a trace of any size, and its total cost stays linear.
 */
export const pauseAfter = (spans: number): number =>
  Math.min(pauseMs.most, pauseMs.least + pauseMs.perSpan * spans)

/** When a trace settles: at once when its root has ended, else after a quiet period without new spans. */
export const settlesAt = (hasEndedRoot: boolean, lastAtMs: number, nowMs: number): number =>
  hasEndedRoot ? nowMs : lastAtMs + quietMs
