/**
 * Zstandard data has several frames in a row (RFC 8878) if a compressor works in parallel or adds an index. Node's own
 * function reads only the first and silently ignores the rest, which would be lost.
 */
import { type ZlibOptions, type ZstdDecompress, zstdDecompress } from 'node:zlib'

/** No compressor makes frames so small that a body within the limits has more. */
const framesMax = 1000

interface Frame {
  readonly bytes: Buffer
  /** The length of the compressed data. */
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
    // The limit may not be 0; one more byte than remains is already too many.
    const { bytes, length } = await readFrame(rest, Math.min(bytesLeft + 1, maxOutputLength))
    bytesLeft -= bytes.length
    if (bytesLeft < 0) throw new TooLarge()
    parts.push(bytes)
    if (length === 0 || parts.length > framesMax) throw new Error('The data has no end.')
    rest = rest.subarray(length)
  } while (rest.length > 0)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** The error that Node throws. */
class TooLarge extends RangeError {
  readonly code = 'ERR_BUFFER_TOO_LARGE'
}

const readFrame = (data: Buffer, maxOutputLength: number): Promise<Frame> =>
  new Promise((resolve, reject) => {
    const options = Number.isFinite(maxOutputLength) ? { maxOutputLength } : {}
    // Safe: with `info`, Node returns the engine too, which its types do not declare.
    zstdDecompress(data, { ...options, info: true }, (error, result) => {
      if (error !== null) return reject(error)
      const { buffer, engine } = result as unknown as {
        readonly buffer: Buffer
        readonly engine: ZstdDecompress
      }
      resolve({ bytes: buffer, length: engine.bytesWritten })
    })
  })
