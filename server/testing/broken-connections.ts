/** Requests over a real socket that do not come to their end, and responses of which only the beginning is read. */
import { connect } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

export interface BrokenRequest {
  readonly method: string
  readonly url: string
  /** An empty one is left out. */
  readonly headers: Readonly<Record<string, string>>
  /** What goes over the wire. */
  readonly body: Buffer
  /** What the head promises; the length of the body unless it says more. */
  readonly contentLength?: number
  /**
   * After the body: `wait` reads the response, `finish` ends our half first, `reset` resets the connection, and `stall`
   * sends nothing more, and goes away once `until` has resolved.
   */
  readonly outcome: 'wait' | 'finish' | 'reset' | 'stall'
  readonly until?: Promise<unknown>
  /** The connection is reset once so many bytes of the response have come. */
  readonly readBytesMax?: number
}

/** The response as text, head and all, as far as it came. */
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
    // Whoever resets a connection, here or there, is what the tests are about.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')))
  })
}

/** The status of a response, and 0 where none came. */
export const statusOf = (response: string): number =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(response.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1] ?? 0)

/** By their names in Content-Encoding. */
export const compressors: Readonly<Record<string, (plain: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  // Its default is made for files that are packed once: it takes seconds for some megabytes.
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  zstd: zstdCompressSync,
}
