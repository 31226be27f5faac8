/** Reads the records of a file in the browser: nothing is sent before the user has seen the preview. */
import {
  type Cell,
  decodeText,
  parquetParsers,
  parseExactJson,
  plainRow,
  readCsv,
  readJsonValues,
  titlesOf,
  withStoredDecimals,
} from '@plumbline/sdk/import'
import { readBlock } from '../grid/block.ts'
import type { FileContent, FileRecord } from './record.ts'

/** Larger files need the command line, which streams them. */
export const fileBytesMax = 200 * 1024 * 1024

/** Rejects with an `EncodingError` if the file may be in an undeclared encoding; retry with `encoding` set. */
export async function readFile(
  file: File,
  onProgress: (share: number) => void,
  encoding?: 'windows-1252',
): Promise<FileContent> {
  const pieces = decodeText(bytesOf(file, onProgress), encoding)
  switch (/\.([a-z]+)$/i.exec(file.name)?.[1]?.toLowerCase()) {
    case 'parquet':
      return { records: await parquetRecords(file), isText: true }
    case 'json':
    case 'jsonl':
    case 'ndjson':
      return { records: await jsonRecords(pieces), isText: false }
    case 'tsv':
      return { records: tableRecords(tabTable((await Array.fromAsync(pieces)).join(''))), isText: true }
    default:
      return { records: tableRecords(await Array.fromAsync(readCsv(pieces))), isText: true }
  }
}

/** Uses a reader, since streams are not iterable in some browsers. */
async function* bytesOf(file: File, onProgress: (share: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  let byteCount = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    byteCount += piece.value.length
    onProgress(Math.min(1, byteCount / file.size))
    yield piece.value
  }
}

/** As in CSV, an empty line is no row, and an empty cell no value. */
const tabTable = (text: string): readonly (readonly Cell[])[] =>
  readBlock(text)
    .map((cells) => cells.map((cell) => (cell === '' ? undefined : cell)))
    .filter((cells) => cells.length > 1 || cells[0] !== undefined)

function tableRecords(table: readonly (readonly Cell[])[]): readonly FileRecord[] {
  const [header = [], ...lines] = table
  const titles = titlesOf(header)
  return lines.map((cells) =>
    cells.length === titles.length
      ? {
          fields: Object.fromEntries(
            titles.flatMap((title, column) => (cells[column] === undefined ? [] : [[title, cells[column]]])),
          ),
        }
      : {
          problem: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${titles.length}`,
        },
  )
}

async function jsonRecords(pieces: AsyncIterable<string>): Promise<readonly FileRecord[]> {
  const records: FileRecord[] = []
  for await (const text of readJsonValues(pieces)) records.push(recordOf(text))
  return records
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An exported row has its values one level down. */
function recordOf(text: string): FileRecord {
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    return { problem: `is not valid JSON: ${(error as Error).message}` }
  }
  if (!isObject(value)) return { problem: 'is not an object' }
  const { values, ...others } = value
  return { fields: isObject(values) ? { ...others, ...values } : value }
}

async function parquetRecords(file: File): Promise<readonly FileRecord[]> {
  const { parquetMetadata, parquetReadObjects } = await import('hyparquet')
  const bytes = await file.arrayBuffer()
  const { metadata, scales } = withStoredDecimals(parquetMetadata(bytes))
  const rows = await parquetReadObjects({ file: bytes, metadata, parsers: parquetParsers })
  return rows.map((row) => ({
    fields: Object.fromEntries(Object.entries(plainRow(row, scales)).filter(([, value]) => value != null)),
  }))
}
