/**
 * Zstandard has several frames one after the other (RFC 8878), where a compressor works in parallel or adds an index.
 * Node's own function reads the first, and says nothing of the rest, which would be lost.
 */
import { type ZlibOptions, type ZstdDecompress, zstdDecompress } from 'node:zlib'

/** No compressor makes frames so small that a body within the limits has more. */
const framesMax = 1000

interface Frame {
  readonly bytes: Buffer
  /** Of the compressed data. */
  readonly length: number
}

export async function decompressZstd(
  data: Buffer,
  { maxOutputLength = Number.POSITIVE_INFINITY }: Pick<ZlibOptions, 'maxOutputLength'>,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytesLeft = maxOutputLength
  let rest = data
  do {
    // The limit may not be 0, and one byte more than is left is too many.
    const { bytes, length } = await readFrame(rest, Math.min(bytesLeft + 1, maxOutputLength))
    bytesLeft -= bytes.length
    if (bytesLeft < 0) throw new TooLarge()
    parts.push(bytes)
    if (length === 0 || parts.length > framesMax) throw new Error('The data has no end.')
    rest = rest.subarray(length)
  } while (rest.length > 0)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** As Node calls it. */
class TooLarge extends RangeError {
  readonly code = 'ERR_BUFFER_TOO_LARGE'
}

const readFrame = (data: Buffer, maxOutputLength: number): Promise<Frame> =>
  new Promise((resolve, reject) => {
    const options = Number.isFinite(maxOutputLength) ? { maxOutputLength } : {}
    // Safe: `info` has Node add the engine, which its types do not say.
    zstdDecompress(data, { ...options, info: true }, (error, result) => {
      if (error !== null) return reject(error)
      const { buffer, engine } = result as unknown as {
        readonly buffer: Buffer
        readonly engine: ZstdDecompress
      }
      resolve({ bytes: buffer, length: engine.bytesWritten })
    })
  })
