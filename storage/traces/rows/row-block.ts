/** Blocks of rows in ClickHouse's Native format: the numbers of columns and rows, and each column with its name and type. */
import { type ColumnType, type ColumnWriter, type RowRange, typeNamed } from './column-types.ts'
import { GrowingBytes, readVarint } from './growing-bytes.ts'

/** A column, and how its value is taken from a row. */
export interface Column<Row> {
  readonly name: string
  /** Name and type, encoded as in a block. */
  readonly head: Buffer
  makeCells(): Cells<Row>
}

interface Cells<Row> {
  readonly writer: ColumnWriter<never>
  append(rows: readonly Row[]): void
}

export const column = <Row, Value>(
  name: string,
  type: ColumnType<Value>,
  cellOf: (row: Row) => Value,
): Column<Row> => ({
  name,
  head: headOf(name, type.name),
  makeCells() {
    const writer = type.makeWriter()
    return {
      writer,
      append(rows) {
        for (const row of rows) writer.append(cellOf(row))
      },
    }
  },
})

/** Collects rows for a table. */
export class BlockWriter<Row> {
  readonly #columns: readonly Column<Row>[]
  /** Created with the first row: most segments have no rows for most tables. */
  #cells: readonly Cells<Row>[] | undefined
  #rows = 0

  constructor(columns: readonly Column<Row>[]) {
    this.#columns = columns
  }

  get rows(): number {
    return this.#rows
  }

  /**
   * Adds all of these rows or, after an error, none. Column by column, since going through the rows of one column is
   * faster for the processor than going through the columns of one row.
   */
  append(rows: readonly Row[]): void {
    this.#cells ??= this.#columns.map((each) => each.makeCells())
    const before = this.#rows
    try {
      for (const cells of this.#cells) cells.append(rows)
      this.#rows += rows.length
    } catch (error) {
      this.truncate(before)
      throw error
    }
  }

  /** Discards all rows after the first `rows`. */
  truncate(rows: number): void {
    for (const { writer } of this.#cells ?? []) writer.truncate(rows)
    this.#rows = rows
  }

  /** Returns the block and clears the writer, which keeps its buffers; the block is empty if there are no rows. */
  take(): Buffer {
    const cells = this.#cells ?? []
    const rows = this.#rows
    this.#rows = 0
    if (rows === 0) return Buffer.allocUnsafeSlow(0)
    const heads = this.#columns.map(({ head }) => head)
    const sizes = cells.map(({ writer }, index) => heads[index]!.length + writer.byteLength)
    const start = startOf(this.#columns.length, rows)
    // Not from Node's shared pool, so that the bytes can be transferred to another thread.
    const block = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, start.length))
    let offset = start.copy(block)
    cells.forEach(({ writer }, index) => {
      offset = writer.copyTo(block, offset + heads[index]!.copy(block, offset))
      writer.clear()
    })
    return block
  }
}

/** A block of these rows; empty if there are none. */
export function encodeRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer {
  const writer = new BlockWriter(columns)
  writer.append(rows)
  return writer.take()
}

function headOf(name: string, type: string): Buffer {
  const head = new GrowingBytes()
  head.appendText(name)
  head.appendText(type)
  return head.take()
}

function startOf(columns: number, rows: number): Buffer {
  const start = new GrowingBytes()
  start.appendVarint(columns)
  start.appendVarint(rows)
  return start.take()
}

function readStart(block: Buffer): { columns: number; rows: number; end: number } {
  const columns = readVarint(block, 0)
  const rows = readVarint(block, columns.end)
  return { columns: columns.value, rows: rows.value, end: rows.end }
}

export const countRows = (block: Buffer): number => (block.length === 0 ? 0 : readStart(block).rows)

/**
 * A block with some rows of another block, in that block's order, regardless of the order of the ranges. Returns the
 * block itself if all rows are selected. Ranges must not overlap.
 */
export function selectRows(block: Buffer, rangesInAnyOrder: readonly RowRange[]): Buffer {
  const ranges = rangesInAnyOrder.toSorted(([a], [b]) => a - b)
  const rows = ranges.reduce((sum, [start, end]) => sum + end - start, 0)
  if (rows === 0) return Buffer.alloc(0)
  const start = readStart(block)
  if (rows === start.rows) return block
  const pieces = [startOf(start.columns, rows)]
  for (let index = 0, offset = start.end; index < start.columns; index++) {
    const { type, end } = readHead(block, offset)
    const selected = type.select(block, end, start.rows, ranges)
    pieces.push(block.subarray(offset, end), ...selected.pieces)
    offset = selected.end
  }
  return Buffer.concat(pieces)
}

/** Splits bytes into their consecutive blocks. */
export function splitBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const start = readStart(rest)
    let end = start.end
    for (let index = 0; index < start.columns; index++) {
      const head = readHead(rest, end)
      end = head.type.select(rest, head.end, start.rows, []).end
    }
    blocks.push(rest.subarray(0, end))
    rest = rest.subarray(end)
  }
  return blocks
}

/** The values of each row by column: texts (also for numbers and times), null, or lists of these. */
export function readRows(block: Buffer): Record<string, unknown>[] {
  if (block.length === 0) return []
  const start = readStart(block)
  const rows = Array.from({ length: start.rows }, (): Record<string, unknown> => ({}))
  for (let index = 0, offset = start.end; index < start.columns; index++) {
    const { name, type, end } = readHead(block, offset)
    const read = type.read(block, end, start.rows)
    read.values.forEach((value, row) => {
      rows[row]![name] = value
    })
    offset = read.end
  }
  return rows
}

/** The values of one column of a block; throws if the block has none of this name. */
export function readColumn(block: Buffer, name: string): unknown[] {
  const start = readStart(block)
  for (let index = 0, offset = start.end; index < start.columns; index++) {
    const head = readHead(block, offset)
    if (head.name === name) return head.type.read(block, head.end, start.rows).values
    offset = head.type.select(block, head.end, start.rows, []).end
  }
  throw new Error(`The block has no column ${name}.`)
}

/** Name and type of the column that begins at `offset`, and where its values begin. */
function readHead(block: Buffer, offset: number): { name: string; type: ColumnType<never>; end: number } {
  const name = readText(block, offset)
  const type = readText(block, name.end)
  return { name: name.text, type: typeNamed(type.text), end: type.end }
}

function readText(block: Buffer, offset: number): { text: string; end: number } {
  const length = readVarint(block, offset)
  const end = length.end + length.value
  return { text: block.toString('utf8', length.end, end), end }
}
