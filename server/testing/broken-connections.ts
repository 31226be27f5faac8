/** Requests over a real socket that break off, and responses that are only read in part. */
import { connect } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

export interface BrokenRequest {
  readonly method: string
  readonly url: string
  /** Headers with empty values are left out. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes that are sent. */
  readonly body: Buffer
  /** The announced length; by default, the length of the body. */
  readonly contentLength?: number
  /**
   * After the body: `wait` reads the response, `finish` ends our half first, `reset` resets the connection, and `stall`
   * sends nothing more, and disconnects once `until` has resolved.
   */
  readonly outcome: 'wait' | 'finish' | 'reset' | 'stall'
  readonly until?: Promise<unknown>
  /** The connection is reset once this many bytes of the response have arrived. */
  readonly readBytesMax?: number
}

/** The response as text, including the head, as far as it arrived. */
export function sendBroken(port: number, request: BrokenRequest): Promise<string> {
  const { method, url, headers, body, contentLength = body.length, outcome, until, readBytesMax } = request
  const lines = Object.entries({
    host: 'localhost',
    ...(method === 'GET' ? {} : { 'content-length': String(contentLength) }),
    connection: 'close',
    ...headers,
  })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`)
      socket.write(body, () => {
        if (outcome === 'finish') socket.end()
        if (outcome === 'reset') socket.resetAndDestroy()
        if (outcome === 'stall') void until?.then(() => socket.destroy())
      })
    })
    socket.on('data', (piece) => {
      pieces.push(piece)
      bytes += piece.length
      if (readBytesMax !== undefined && bytes >= readBytesMax) socket.resetAndDestroy()
    })
    // Resets by either side are what these tests are about.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')))
  })
}

/** The status of a response, or 0 if there was none. */
export const statusOf = (response: string): number =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(response.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1] ?? 0)

/** By their names in Content-Encoding. */
export const compressors: Readonly<Record<string, (plain: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  // Brotli's default quality is meant for files that are compressed once: it takes seconds for a few megabytes.
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  zstd: zstdCompressSync,
}
