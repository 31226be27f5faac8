/** Files of rows, by format. */
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { asText } from '../download.ts'
import { WrongUsage } from '../session.ts'

export const formats = ['csv', 'jsonl', 'json', 'parquet'] as const
export type Format = (typeof formats)[number]

/** The format that was asked for, else that of the file's name. */
export function formatOf(file: string | undefined, asked: Format | undefined): Format {
  if (asked !== undefined) return asked
  if (file === undefined || file === '-') return 'jsonl'
  const extension = extname(file).slice(1).toLowerCase()
  const found = formats.find((format) => format === (extension === 'ndjson' ? 'jsonl' : extension))
  if (found === undefined)
    throw new WrongUsage(`Say the format of ${file} with --format ${formats.join(', ')}.`)
  return found
}

/** A file as text in pieces. */
export const readPieces = (file: string): AsyncGenerator<string> => asText(createReadStream(file))

/** The lines that have something in them. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = ''
  for await (const piece of pieces) {
    const lines = (open + piece).split('\n')
    open = lines.pop()!
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (open.trim() !== '') yield open
}
