/** Readers of other systems' exports, for whoever reads files: the command line, or a page. */
export { type Cell, readCsv } from './import/csv.ts'
export { importedFrom, importedId } from './import/found-trace.ts'
export { readJsonValues } from './import/json-values.ts'
export { parsedJson } from './import/read-value.ts'
export type * from './import/shapes.ts'
export { sourceOf, sources } from './import/sources.ts'
