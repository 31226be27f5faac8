/** Request bodies: decompressed within the limit, then parsed as JSON. */
import { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type BrotliDecompress,
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Gunzip,
  gunzip,
  type Inflate,
  inflate,
  type ZlibOptions,
  type ZstdDecompress,
} from 'node:zlib'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parsedAtOnceMax, parseJson, parseJsonInSlices } from '../json/parse-json.ts'
import { bodyBytesMax } from '../requests/body-limits.ts'
import { decompressZstd } from '../requests/decompress-zstd.ts'
import type { LargeBodies } from '../requests/large-bodies.ts'
import type { UploadedFile } from '../requests/verb.ts'

/** A parsed body with its bytes, which recording stores as they are. */
export interface Body {
  readonly bytes: Buffer
  readonly json: unknown
}

const noBytes = Buffer.alloc(0)
export const noBody: Body = { bytes: noBytes, json: undefined }

type Decompress = (data: Buffer, options: Pick<ZlibOptions, 'maxOutputLength'>) => Promise<Buffer>
/** A map, not an object: a client may name an encoding `constructor`. */
const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', decompressZstd],
])

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * Makes the server accept JSON bodies as `Body`, and nothing else. Large bodies hold their admission until the request has
 * ended.
 */
export function takeJsonBodies(server: FastifyInstance, largeBodies: LargeBodies): void {
  const releases = new Map<FastifyRequest, () => void>()
  server.addHook('onResponse', (request, _reply, callback) => {
    if (releases.size > 0) releases.get(request)?.()
    callback()
  })
  /** If the client has gone away there is no `onResponse`, so the socket's `close` releases it. */
  const releaseAtEnd = (request: FastifyRequest, release: () => void): void => {
    const { socket } = request.raw
    if (socket.destroyed) {
      release()
      return
    }
    const end = (): void => {
      socket.off('close', end)
      releases.delete(request)
      release()
    }
    socket.once('close', end)
    releases.set(request, end)
  }
  const readLarge = async (request: FastifyRequest, bytes: Buffer, encoding?: string): Promise<Body> => {
    const isPlain = encoding === undefined || encoding === 'identity'
    const { bodyLimit: bytesMax } = request.routeOptions
    // An injected request is part of a request that already has room for its body: it would wait for itself.
    if (!(request.raw.socket instanceof Socket)) return readBody(bytes, { encoding, bytesMax })
    const release = await largeBodies.admit(isPlain ? bytes.length : bytesMax)
    try {
      return await readBody(bytes, { encoding, bytesMax })
    } finally {
      releaseAtEnd(request, release)
    }
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    jsonType,
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    (request, payload, callback) => {
      // Small uncompressed bodies are parsed synchronously: a promise for each would cost more than it saves.
      const encoding = request.headers['content-encoding']
      const bytes = payload as Buffer
      if ((encoding === undefined || encoding === 'identity') && bytes.length <= parsedAtOnceMax) {
        try {
          callback(null, { bytes, json: bytes.length === 0 ? undefined : parseJson(bytes) })
        } catch (error) {
          callback(error as Error)
        }
        return
      }
      readLarge(request, bytes, encoding).then(
        (body) => callback(null, body),
        (error: Error) => callback(error),
      )
    },
  )
  server.addContentTypeParser('*', (request: FastifyRequest, _payload, callback) => {
    callback(
      new ServiceError('unsupported_media_type', {
        expected: 'application/json',
        type: request.headers['content-type'] || 'one without a Content-Type',
      }),
    )
  })
}

/** Makes the server pass on bodies as streams, whatever their type: `fileOf` checks it. */
export function passBodiesOn(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, callback) => callback(null, payload))
}

type Decompressor = Gunzip | Inflate | BrotliDecompress | ZstdDecompress

const streamDecompressors = new Map<string, () => Decompressor>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])

/** The body as a file, decompressed while it arrives; throws if the operation does not accept its type. */
export function fileOf({ headers, body }: FastifyRequest, takes: readonly string[]): UploadedFile {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!takes.includes(mediaType))
    throw new ServiceError('unsupported_media_type', {
      expected: takes.join(' or '),
      type: mediaType || 'one without a Content-Type',
    })
  // Safe: `passBodiesOn` passes on the request's own stream, or nothing if the request has no body.
  const request = (body as Readable | undefined) ?? Readable.from([])
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return { mediaType, bytes: piecesOf(request) }
  const make = streamDecompressors.get(encoding)
  if (make === undefined) throw new ServiceError('unsupported_encoding', { encoding: encoding.slice(0, 100) })
  return { mediaType, bytes: decompressStream(request, make, encoding) }
}

/**
 * The chunks of a body as they arrive. If the reader stops early, the request stays open so that the response can still be
 * sent, and the rest of the body is discarded, since the next request on the connection follows it. A client that
 * disconnects is an invalid request, not a failure of ours.
 */
export async function* piecesOf(request: Readable): AsyncGenerator<Buffer> {
  try {
    // No `yield*`: an error thrown by the consumer would reach the stream and end the connection.
    for await (const piece of request.iterator({ destroyOnReturn: false })) yield piece
  } catch (cause) {
    throw new ServiceError(
      'invalid_request',
      { path: 'body', problem: 'ended before it was complete' },
      { cause },
    )
  } finally {
    request.resume()
  }
}

/** The decompressed chunks; a decompression error is a refusal, and every stream keeps an error listener. */
async function* decompressStream(
  request: Readable,
  make: () => Decompressor,
  encoding: string,
): AsyncGenerator<Buffer> {
  // The consumer gets the errors of both streams; the empty callback keeps them from being uncaught.
  const decompressor = make()
  let length = 0
  const count = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      length += piece.length
      yield piece
    }
  }
  const bytes = pipeline(piecesOf(request), count, decompressor, () => {})
  try {
    yield* bytes
    // Decompressors do not report trailing bytes that they did not read.
    if (decompressor.bytesWritten < length) throw new ServiceError('malformed_encoding', { encoding })
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('malformed_encoding', { encoding }, { cause })
  }
}

/** Nested encodings, such as `gzip, br`. Each costs another decompression of up to the limit. */
const encodingsMax = 3

/** Undoes a Content-Encoding; several are undone from last to first. The limit applies to each result. */
export async function decompress(
  encoding: string,
  body: Buffer,
  bytesMax: number = bodyBytesMax,
): Promise<Buffer> {
  let bytes = body
  const names = encoding
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== 'identity' && word !== '')
  if (names.length > encodingsMax)
    throw new ServiceError('unsupported_encoding', { encoding: `with ${names.length} parts` })
  for (const name of names.reverse()) {
    const undo = decompressors.get(name)
    if (undo === undefined) throw new ServiceError('unsupported_encoding', { encoding: name.slice(0, 100) })
    try {
      bytes = await undo(bytes, { maxOutputLength: bytesMax })
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      if (isTooLarge) throw new ServiceError('body_too_large', { bytesMax })
      throw new ServiceError('malformed_encoding', { encoding: name }, { cause: error })
    }
  }
  return bytes
}

async function readBody(
  payload: Buffer,
  { encoding = 'identity', bytesMax }: { readonly encoding: string | undefined; readonly bytesMax: number },
): Promise<Body> {
  const bytes = await decompress(encoding, payload, bytesMax)
  if (bytes.length === 0) return noBody
  return { bytes, json: bytes.length <= parsedAtOnceMax ? parseJson(bytes) : await parseJsonInSlices(bytes) }
}
