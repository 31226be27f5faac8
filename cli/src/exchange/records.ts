/** Reads records from files of every supported format. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type JsonRecord, parsedJson, readCsv, readJsonValues, titlesOf } from '@plumbline/sdk/import'
import { asText } from '../download.ts'
import { readParquet } from '../parquet.ts'
import { CommandFailed } from '../session.ts'

const extensions = new Set(['.json', '.jsonl', '.ndjson', '.csv', '.parquet'])

/** Lists the given files and, in folders, the files with a supported extension. */
export async function* listFiles(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined) throw new CommandFailed(`There is no file ${path}.`)
    if (!stats.isDirectory()) yield path
    else {
      const names = (await readdir(path)).toSorted().filter((name) => !name.startsWith('.'))
      for (const name of names) {
        const inner = join(path, name)
        if ((await stat(inner)).isDirectory()) yield* listFiles([inner])
        else if (extensions.has(extensionOf(inner))) yield inner
      }
    }
  }
}

const extensionOf = (file: string): string => extname(file.replace(/\.gz$/, '')).toLowerCase()

/** Yields each record of a file and reports the bytes read. */
export async function* readRecords(
  file: string,
  onBytes: (count: number) => void,
): AsyncGenerator<JsonRecord> {
  try {
    const extension = extensionOf(file)
    if (extension === '.parquet') {
      for await (const row of readParquet(file)) yield parseCells(row)
      return
    }
    const text = asText(readBytes(file, onBytes))
    if (extension === '.csv') yield* readTable(text)
    else for await (const value of readJsonValues(text)) yield toObject(JSON.parse(value))
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause
    throw new CommandFailed(`${file} cannot be read: ${(cause as Error).message.replace(/\.$/, '')}.`, {
      cause,
    })
  }
}

async function* readBytes(file: string, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  async function* readCounted(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file)) {
      onBytes((chunk as Buffer).length)
      yield chunk as Buffer
    }
  }
  if (!file.endsWith('.gz')) yield* readCounted()
  else {
    const unzip = createGunzip()
    yield* Readable.from(readCounted(), { objectMode: false }).compose(unzip)
  }
}

async function* readTable(text: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let titles: readonly string[] | undefined
  let row = 1
  for await (const cells of readCsv(text)) {
    row++
    if (titles === undefined) titles = titlesOf(cells)
    else if (cells.length !== titles.length)
      throw new CommandFailed(
        `Row ${row} has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${titles.length}.`,
      )
    else yield parseCells(Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? null])))
  }
}

/** Parses cells that contain JSON. */
const parseCells = (row: Record<string, unknown>): JsonRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, parsedJson(value)]))

function toObject(value: unknown): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('its records must be objects')
  return value as JsonRecord
}
