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

/** A parsed body beside its bytes, which recording keeps as they are. */
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

/** Makes the server take JSON bodies as `Body`, and nothing else. Large ones are held until their request has ended. */
export function takeJsonBodies(server: FastifyInstance, largeBodies: LargeBodies): void {
  const releases = new Map<FastifyRequest, () => void>()
  server.addHook('onResponse', (request, _reply, callback) => {
    if (releases.size > 0) releases.get(request)?.()
    callback()
  })
  /** A client that goes away gets no response, and then its socket says so. */
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
    // What was injected is part of a request that has room for its body already: it would wait for itself.
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
      // Plain bodies that are not large are parsed at once: a promise for each would cost more than it gives.
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

/** Makes the server pass bodies on as they come, whatever their type: `fileOf` looks at that. */
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

/** The file that a body is, decompressed as it comes; throws where it is of a type that the operation does not take. */
export function fileOf({ headers, body }: FastifyRequest, takes: readonly string[]): UploadedFile {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!takes.includes(mediaType))
    throw new ServiceError('unsupported_media_type', {
      expected: takes.join(' or '),
      type: mediaType || 'one without a Content-Type',
    })
  // Safe: `passBodiesOn` gives the request's own stream; there is none where the request has no body.
  const request = (body as Readable | undefined) ?? Readable.from([])
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return { mediaType, bytes: piecesOf(request) }
  const make = streamDecompressors.get(encoding)
  if (make === undefined) throw new ServiceError('unsupported_encoding', { encoding: encoding.slice(0, 100) })
  return { mediaType, bytes: decompressStream(request, make, encoding) }
}

/**
 * The pieces of a body as they come. Whoever stops reading leaves the request open, so that the answer can still be
 * sent, and its rest is dropped: the next request on the connection comes behind it. A client that went away is a
 * request that is not legal, not a failure of ours.
 */
export async function* piecesOf(request: Readable): AsyncGenerator<Buffer> {
  try {
    // No `yield*`: an error of who reads would reach the stream, which would end the connection.
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

/** The same, decompressed; a decompressor that gives up is a refusal, and no stream is left without a listener. */
async function* decompressStream(
  request: Readable,
  make: () => Decompressor,
  encoding: string,
): AsyncGenerator<Buffer> {
  // Whoever reads meets the failure of either; the callback is there so that nobody else does.
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
    // What a decompressor does not read, it does not tell of.
    if (decompressor.bytesWritten < length) throw new ServiceError('malformed_encoding', { encoding })
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('malformed_encoding', { encoding }, { cause })
  }
}

/** One over the other, as `gzip, br`. Each is one more decompression of up to the limit. */
const encodingsMax = 3

/** Undoes a Content-Encoding; several are undone from the last to the first. The limit is that of each result. */
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
