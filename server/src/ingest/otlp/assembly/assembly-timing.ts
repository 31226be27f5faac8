/** How often a growing trace is assembled again, and when it settles. */
import { type QuietCutoffs, quietMs } from '@plumbline/storage/control'

const pauseMs = { least: 200, perSpan: 1, most: 30_000 }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * How long after its first span a trace accepts further spans; later ones start another trace. The trace store keeps
 * spans for longer, so that a trace is never assembled from only some of its spans. A trace that grows without a pause
 * ends half a day later than others, because the trace that follows it also reads spans that arrived shortly before.
 */
const ageMaxMs = { quiet: 7 * dayMs, growing: 7.5 * dayMs }

/** The spans of a trace are read from this long before its first one, since the clocks of some nodes are behind. */
const clockMarginMs = hourMs

const timeBefore = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** Cutoffs for traces that accept no further spans once they have paused. */
export const quietCutoffs = (now: Date): QuietCutoffs => ({
  firstBefore: timeBefore(now, ageMaxMs.quiet),
  lastBefore: timeBefore(now, clockMarginMs),
})

/** Traces that began before this time accept no further spans, even while they grow. */
export const growingCutoff = (now: Date): Date => timeBefore(now, ageMaxMs.growing)

/** No node assembles traces that began before this time any more, even a node that is late to forget them. */
export const assembledCutoff = (now: Date): Date => timeBefore(now, 8 * dayMs)

/**
 * The pause after an assembly. It grows with the number of spans, as the work does (about 0.1 ms per span), so that
 * assembly takes the same small fraction of the time for a trace of any size, and its total cost stays linear.
 */
export const pauseAfter = (spans: number): number =>
  Math.min(pauseMs.most, pauseMs.least + pauseMs.perSpan * spans)

/** When a trace settles: at once when its root has ended, else after a quiet period without new spans. */
export const settlesAt = (hasEndedRoot: boolean, lastAtMs: number, nowMs: number): number =>
  hasEndedRoot ? nowMs : lastAtMs + quietMs
