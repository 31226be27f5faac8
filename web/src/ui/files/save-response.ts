/** Saves a response as a file, with progress while it arrives. */
import { downloadBlob } from './download.ts'

export interface Progress {
  readonly bytes: number
  /** Lines of JSON or rows of CSV, without its header; undefined for other formats. */
  readonly records: number | undefined
}

export type RecordFormat = 'jsonl' | 'csv' | 'other'

interface SaveOptions {
  readonly format: RecordFormat
  /** The file name if the service gives none. */
  readonly fileName: string
  readonly onProgress: (progress: Progress) => void
}

/** The size after which data is moved to a Blob, which the browser keeps on disk. */
const chunkBytesMax = 8 * 1024 * 1024

/** Rejects if the response is interrupted or aborted: a partial export is useless. */
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

/** Counts the records in chunks of a file; a quoted CSV cell may contain line breaks. */
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

/** The file name in the service's header. */
function nameIn(disposition: string | null): string | undefined {
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '') ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}
