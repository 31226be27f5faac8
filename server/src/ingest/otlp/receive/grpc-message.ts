/** The single message of a unary gRPC call: a byte that marks compression, four bytes of length, and the message's bytes. */
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { parsedAtOnceMax } from '../../../json/parse-json.ts'
import { decompressZstd } from '../../../requests/decompress-zstd.ts'
import type { LargeBodies } from '../../../requests/large-bodies.ts'
import { grpcStatus, StatusError } from './grpc-status.ts'

const prefixBytes = 5
/** A longer message gets more memory only as its bytes arrive, since the claimed length costs the client nothing. */
const firstBytes = 64 * 1024

type Decompress = (data: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>
const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['zstd', decompressZstd],
])

/** The value of `grpc-accept-encoding`. */
export const acceptedEncodings = 'identity,deflate,gzip,zstd'

/** Collects the chunks of a request. */
export class MessageReader {
  readonly #bytesMax: number
  readonly #prefix = Buffer.allocUnsafe(prefixBytes)
  #prefixCount = 0
  /** Chunks are copied into one buffer: a retained chunk of one byte costs a hundred times its size. */
  #message: Buffer | undefined
  #length = 0
  #count = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Throws `StatusError` if the message is too large, or a second one follows. */
  add(chunk: Buffer): void {
    let bytes = chunk
    if (this.#message === undefined) {
      const copiedCount = chunk.copy(this.#prefix, this.#prefixCount)
      this.#prefixCount += copiedCount
      if (this.#prefixCount < prefixBytes) return
      this.#length = this.#prefix.readUInt32BE(1)
      if (this.#length > this.#bytesMax) throw tooLarge(`${this.#length} bytes`, this.#bytesMax)
      this.#message = Buffer.allocUnsafe(Math.min(this.#length, firstBytes))
      bytes = chunk.subarray(copiedCount)
    }
    const count = this.#count + bytes.length
    if (count > this.#length)
      throw new StatusError(grpcStatus.unimplemented, 'A call must have one message; this one has more.')
    if (count > this.#message.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#length, 2 * count))
      this.#message.copy(larger, 0, 0, this.#count)
      this.#message = larger
    }
    bytes.copy(this.#message, this.#count)
    this.#count = count
  }

  /** Passes the whole message, decompressed if it is marked so, to `respond`; a large one waits until there is room for it. */
  async finish<Response>(
    encoding: string | undefined,
    largeBodies: LargeBodies,
    respond: (message: Buffer) => Promise<Response>,
  ): Promise<Response> {
    const message = this.#message
    if (message === undefined || this.#count < this.#length)
      throw new StatusError(
        grpcStatus.unimplemented,
        'A call must have one message; this one ended before it was complete.',
      )
    const isCompressed = this.#prefix[0] === 1
    if (!isCompressed || encoding === undefined || encoding === 'identity')
      return largeBodies.run(message.length, () => respond(message))
    const bytesMax = this.#bytesMax
    const smallMessage = await decompress(message, encoding, Math.min(parsedAtOnceMax, bytesMax))
    if (smallMessage !== undefined) return respond(smallMessage)
    return largeBodies.run(bytesMax, async () => {
      const plainMessage = await decompress(message, encoding, bytesMax)
      if (plainMessage === undefined) throw tooLarge('more than that when decompressed', bytesMax)
      return respond(plainMessage)
    })
  }
}

/** The decompressed message; undefined if it is longer than `bytesMax`. */
async function decompress(message: Buffer, encoding: string, bytesMax: number): Promise<Buffer | undefined> {
  const undo = decompressors.get(encoding)
  if (undo === undefined)
    throw new StatusError(
      grpcStatus.unimplemented,
      `The encoding "${encoding}" is not supported; use one of ${acceptedEncodings}.`,
    )
  try {
    return await undo(message, { maxOutputLength: bytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new StatusError(grpcStatus.internal, `The message is not ${encoding} data.`, { cause: error })
  }
}

const tooLarge = (size: string, bytesMax: number): StatusError =>
  new StatusError(
    grpcStatus.resourceExhausted,
    `A message may have ${bytesMax} bytes at most; this one has ${size}.`,
  )

/** A message with its prefix, as it is sent. */
export function frameOf(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  message.copy(frame, prefixBytes)
  return frame
}
