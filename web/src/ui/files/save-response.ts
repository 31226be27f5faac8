/** A response as a file on the disk of the person, with its progress while it comes. */
import { downloadBlob } from './download.ts'

export interface Progress {
  readonly bytes: number
  /** Lines of JSON or rows of CSV, without its header; undefined for other formats. */
  readonly records: number | undefined
}

export type RecordFormat = 'jsonl' | 'csv' | 'other'

interface SaveOptions {
  readonly format: RecordFormat
  /** The name of the file where the service gives none. */
  readonly fileName: string
  readonly onProgress: (progress: Progress) => void
}

/** Handed to a Blob, which the browser keeps on its disk, once this much has come. */
const chunkBytesMax = 8 * 1024 * 1024

/** Rejects where the response breaks off or is aborted: a part of an export is no export. */
export async function saveResponse(
  response: Response,
  { format, fileName, onProgress }: SaveOptions,
): Promise<void> {
  const count = recordCounter(format)
  let file = new Blob()
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let [bytes, bytesInChunks] = [0, 0]
  const reader = response.body?.getReader()
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    const { value } = piece
    chunks.push(value)
    bytes += value.length
    bytesInChunks += value.length
    if (bytesInChunks > chunkBytesMax) {
      file = new Blob([file, ...chunks])
      chunks = []
      bytesInChunks = 0
    }
    onProgress({ bytes, records: count(value) })
  }
  const name = nameIn(response.headers.get('content-disposition')) ?? fileName
  downloadBlob(name, new Blob([file, ...chunks]))
}

const [newline, quote] = [0x0a, 0x22]

/** Counts the records in pieces of a file; a quoted cell of CSV may hold line breaks. */
export function recordCounter(format: RecordFormat): (piece: Uint8Array) => number | undefined {
  if (format === 'other') return () => undefined
  let lines = 0
  let isQuoted = false
  return (piece) => {
    for (const byte of piece) {
      if (byte === quote && format === 'csv') isQuoted = !isQuoted
      else if (byte === newline && !isQuoted) lines += 1
    }
    return format === 'csv' ? Math.max(lines - 1, 0) : lines
  }
}

/** The name in a header as the service writes it. */
function nameIn(disposition: string | null): string | undefined {
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '') ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}
