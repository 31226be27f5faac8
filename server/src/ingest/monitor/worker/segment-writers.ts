/** Writers that collect the rows of a segment. */
import { type BlockWriter, makeSpanWriter, type SpanRow, TraceBlocks } from '@plumbline/storage/traces/rows'

export interface SegmentWriters {
  readonly traces: TraceBlocks
  readonly spans: BlockWriter<SpanRow>
  /** For OpenTelemetry traces that arrived whole. */
  readonly wholeTraces: TraceBlocks
}

export const makeSegmentWriters = (): SegmentWriters => ({
  traces: new TraceBlocks(),
  spans: makeSpanWriter(),
  wholeTraces: new TraceBlocks(),
})

/** Writers that a finished segment released: the next one reuses their memory. */
const free: SegmentWriters[] = []

/** Calls `collect` with writers of its own; `collect` must take their rows, so that they are empty when it resolves. */
export async function withSegmentWriters<Result>(
  collect: (writers: SegmentWriters) => Promise<Result>,
): Promise<Result> {
  const writers = free.pop() ?? makeSegmentWriters()
  const result = await collect(writers)
  // Only here, not after an error: writers that may still hold rows are dropped.
  free.push(writers)
  return result
}
