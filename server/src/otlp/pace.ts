/** How often a trace that grows is assembled again, and when nothing more is expected of it. */
import { quietMs } from '@plumbline/storage/control'

const pauseMs = { least: 200, perSpan: 1, most: 30_000 }

/**
 * How long spans find their trace after its first one. A day less than the trace store keeps them, so that no trace is
 * ever assembled of some of its spans. Later ones begin another.
 */
export const assemblyKeptMs = 7 * 24 * 3_600_000

/**
 * The pause after an assembly of so many spans. It grows with the work, about a tenth of a millisecond a span, so that
 * assembling takes the same small share of the time however large the trace: never the square of its spans.
 */
export const pauseAfter = (spans: number): number =>
  Math.min(pauseMs.most, pauseMs.least + pauseMs.perSpan * spans)

/** When a trace settles: at once when its root has ended, else when nothing has come for a while. */
export const settlesAt = (hasEndedRoot: boolean, lastAtMs: number, nowMs: number): number =>
  hasEndedRoot ? nowMs : lastAtMs + quietMs
