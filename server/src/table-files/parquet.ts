/** Tables as Parquet, with one row group in memory at a time. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Cell, ColumnType, TableColumn, TableRow } from './table.ts'

/** Whichever is reached first ends a row group. */
const groupMax = { rows: 5000, characters: 8 * 1024 * 1024 }

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
}

export async function* parquetPieces(
  columns: readonly TableColumn[],
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(
        ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elements[type] }),
      ),
    ],
    createdBy: 'plumbline',
  })
  let cells: Cell[][] = columns.map(() => [])
  let characters = 0
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  const writeGroup = async (): Promise<void> => {
    const size = cells[0]?.length ?? 0
    if (size === 0) return
    await file.write({
      // Safe: a cell has the type of its column, or is null.
      columnData: columns.map(({ name }, index) => ({
        name,
        data: cells[index] as unknown[],
        offsetIndex: false,
      })),
      rowGroupSize: size,
    })
    cells = columns.map(() => [])
    characters = 0
  }
  for await (const row of rows) {
    row.forEach((cell, index) => {
      cells[index]!.push(cell)
      if (typeof cell === 'string') characters += cell.length
    })
    if (cells[0]!.length < groupMax.rows && characters < groupMax.characters) continue
    await writeGroup()
    yield take()
  }
  await writeGroup()
  await file.finish()
  yield take()
}
