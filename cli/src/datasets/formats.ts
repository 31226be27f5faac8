/** File formats of dataset rows. */
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { decodeText } from '@plumbline/sdk/import'
import { WrongUsage } from '../session.ts'

export const formats = ['csv', 'jsonl', 'json', 'parquet'] as const
export type Format = (typeof formats)[number]

/** The explicit format, or the one that the file name implies. */
export function chooseFormat(file: string | undefined, explicitFormat: Format | undefined): Format {
  if (explicitFormat !== undefined) return explicitFormat
  if (file === undefined || file === '-') return 'jsonl'
  const extension = extname(file).slice(1).toLowerCase()
  const match = formats.find((format) => format === (extension === 'ndjson' ? 'jsonl' : extension))
  if (match === undefined)
    throw new WrongUsage(`Set the format of ${file} with --format: ${formats.join(', ')}.`)
  return match
}

/** Streams a file as text. */
export const readPieces = (file: string): AsyncGenerator<string> => decodeText(createReadStream(file))

/** Yields the lines that are not blank. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  // Joined at the end: assembling a long line piece by piece takes quadratic time.
  let open: string[] = []
  for await (const piece of pieces) {
    const [end = '', ...lines] = piece.split('\n')
    open.push(end)
    for (const line of lines) {
      const whole = open.join('')
      if (whole.trim() !== '') yield whole
      open = [line]
    }
  }
  const last = open.join('')
  if (last.trim() !== '') yield last
}
