/** What collects the rows of a segment. */
import { type BlockWriter, makeSpanWriter, type SpanRow, TraceBlocks } from '@plumbline/storage/traces/rows'

export interface SegmentWriters {
  readonly traces: TraceBlocks
  readonly spans: BlockWriter<SpanRow>
  /** Of OpenTelemetry traces that came whole. */
  readonly wholeTraces: TraceBlocks
}

export const makeSegmentWriters = (): SegmentWriters => ({
  traces: new TraceBlocks(),
  spans: makeSpanWriter(),
  wholeTraces: new TraceBlocks(),
})

/** Those that a segment is done with: the next one fills the room that they have. */
const free: SegmentWriters[] = []

/** Calls `collect` with writers of its own, which must be empty when it resolves: it takes what they have. */
export async function withSegmentWriters<Result>(
  collect: (writers: SegmentWriters) => Promise<Result>,
): Promise<Result> {
  const writers = free.pop() ?? makeSegmentWriters()
  const result = await collect(writers)
  // After an error they may hold rows, and are dropped.
  free.push(writers)
  return result
}
