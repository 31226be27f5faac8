import { Readable } from 'node:stream'
import type { operations } from '@plumbline/contract'
import type { StoredTrace } from '@plumbline/storage/traces'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { csvPieces } from '../../table-files/csv.ts'
import { parquetPieces } from '../../table-files/parquet.ts'
import { inPieces } from '../../table-files/pieces.ts'
import { readFilters } from '../../traces/filters.ts'
import { toStoredTrace } from '../../traces/view.ts'
import { toTableRow, traceColumns } from './table-row.ts'

/** Writes the traces that match the filters to a file; exported as `export`. */
const write: Verb<typeof operations.traces.export> = async (
  { format, ...filters },
  { workspace, caller, now },
) => {
  const traceFilters = readFilters(filters)
  await workspace.settle()
  const traces = workspace.traces.walk(traceFilters)
  const name = `traces-${now.toISOString().slice(0, 10)}.${format}`
  const file = (pieces: AsyncIterable<string | Uint8Array>, type: string): FileBytes =>
    new FileBytes(Readable.from(pieces, { objectMode: false }), type, name)
  switch (format) {
    case 'jsonl':
      return file(inPieces(asLines(traces, caller.id)), 'application/x-ndjson')
    case 'csv':
      return file(inPieces(csvPieces(traceColumns, asRows(traces))), 'text/csv; charset=utf-8')
    case 'parquet':
      return file(parquetPieces(traceColumns, asRows(traces)), 'application/vnd.apache.parquet')
  }
}

export { write as export }

async function* asLines(traces: AsyncIterable<StoredTrace>, callerId: string): AsyncGenerator<string> {
  for await (const trace of traces) yield `${JSON.stringify(toStoredTrace(trace, callerId))}\n`
}

async function* asRows(traces: AsyncIterable<StoredTrace>) {
  for await (const trace of traces) yield toTableRow(trace)
}
