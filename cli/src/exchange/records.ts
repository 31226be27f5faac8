/** The records of files, whatever they are written as. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type JsonRecord, parsedJson, readCsv, readJsonValues } from '@plumbline/sdk/import'
import { asText } from '../download.ts'
import { readParquet } from '../parquet.ts'
import { CommandFailed } from '../session.ts'

const extensions = new Set(['.json', '.jsonl', '.ndjson', '.csv', '.parquet'])

/** The files that paths name; in folders, those whose names say that they can be read. */
export async function* filesIn(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) throw new CommandFailed(`There is no file ${path}.`)
    if (!found.isDirectory()) yield path
    else {
      const names = (await readdir(path)).toSorted().filter((name) => !name.startsWith('.'))
      for (const name of names) {
        const inner = join(path, name)
        if ((await stat(inner)).isDirectory()) yield* filesIn([inner])
        else if (extensions.has(extensionOf(inner))) yield inner
      }
    }
  }
}

const extensionOf = (file: string): string => extname(file.replace(/\.gz$/, '')).toLowerCase()

/** Each record of a file; bytes are counted as they are read. */
export async function* recordsOf(file: string, onBytes: (count: number) => void): AsyncGenerator<JsonRecord> {
  try {
    const extension = extensionOf(file)
    if (extension === '.parquet') {
      for await (const row of readParquet(file)) yield asRecord(row)
      return
    }
    const text = asText(bytesOf(file, onBytes))
    if (extension === '.csv') yield* tableRecords(text)
    else for await (const value of readJsonValues(text)) yield objectOf(JSON.parse(value))
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause
    throw new CommandFailed(`${file} cannot be read: ${(cause as Error).message.replace(/\.$/, '')}.`, {
      cause,
    })
  }
}

async function* bytesOf(file: string, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file)) {
      onBytes((chunk as Buffer).length)
      yield chunk as Buffer
    }
  }
  if (!file.endsWith('.gz')) yield* counted()
  else {
    const unzip = createGunzip()
    yield* Readable.from(counted(), { objectMode: false }).compose(unzip)
  }
}

async function* tableRecords(text: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let titles: string[] | undefined
  let row = 1
  for await (const cells of readCsv(text)) {
    row++
    if (titles === undefined) titles = cells.map((cell) => cell ?? '')
    else if (cells.length !== titles.length)
      throw new CommandFailed(
        `Row ${row} has ${cells.length} cells, and the first line has ${titles.length}.`,
      )
    else yield asRecord(Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? null])))
  }
}

/** Cells that hold JSON are what they hold. */
const asRecord = (row: Record<string, unknown>): JsonRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, parsedJson(value)]))

function objectOf(value: unknown): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('its records must be objects')
  return value as JsonRecord
}
