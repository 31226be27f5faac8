/** Rows and their encoders. Nothing here loads an engine: a worker thread builds rows without one. */
export {
  type AssembledRow,
  arrivalMs,
  encodeAssembledLogRow,
  encodeAssembledTraceRow,
  encodeLogRow,
  encodeScoreRow,
  encodeSpanRow,
  encodeTraceRow,
  readEncodedLine,
  type SpanRow,
} from './rows/encode-rows.ts'
export { incompletenessOf } from './rows/incompleteness.ts'
export type * from './rows/row-types.ts'
