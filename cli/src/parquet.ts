/** Streams the rows of a Parquet file, one row group at a time. */
import { parquetParsers, plainRow, withStoredDecimals } from '@plumbline/sdk/import'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

export async function* readParquet(file: string): AsyncGenerator<Record<string, unknown>> {
  const buffer = await asyncBufferFromFile(file)
  const { metadata, scales } = withStoredDecimals(await parquetMetadataAsync(buffer))
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    for (const row of await parquetReadObjects({
      file: buffer,
      metadata,
      rowStart,
      rowEnd,
      parsers: parquetParsers,
    }))
      yield plainRow(row, scales)
    rowStart = rowEnd
  }
}
