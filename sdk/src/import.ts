/** Readers of other systems' exports, and the writer of a cell of CSV: for the command line and the web app. */
export { csvCell } from '@plumbline/contract/csv-cell'
export { type Cell, readCsv, titlesOf } from './import/csv.ts'
export { importedFrom, importedId } from './import/found-trace.ts'
export { readJsonValues } from './import/json-values.ts'
export { parsedJson, slugOf } from './import/read-value.ts'
export type * from './import/shapes.ts'
export { sourceOf, sources } from './import/sources.ts'
