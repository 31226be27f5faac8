/** Rows and their blocks. Nothing here loads an engine: a worker thread builds rows without one. */
export { incompletenessOf } from './rows/incompleteness.ts'
export { type BlockWriter, readRows, selectRows } from './rows/row-block.ts'
export type * from './rows/row-types.ts'
export {
  type AssembledRow,
  arrivalMs,
  encodeLogs,
  encodeScores,
  encodeSpans,
  encodeTraces,
  makeSpanWriter,
  type SpanRow,
  TraceBlocks,
} from './rows/table-columns.ts'
