import { invalid, ServiceError } from '@plumbline/contract'

import { bodyBytesMax } from '../../requests/body-limits.ts'

/**
 * A record of 16 MiB may be four times as long here: its texts are JSON within JSON, which doubles quotes and backslashes,
 * and its logs include computed fields.
 */
const recordBytesMax = 4 * bodyBytesMax
/** The longest string that the runtime supports. */
const textBytesMax = 2 ** 29 - 2 ** 12

export interface BundleLimits {
  readonly bundleBytesMax: number
  /** The size of the largest file, whose bytes are one base64 line. */
  readonly fileBytesMax: number
}

/** The longest line that a valid bundle can need. */
export const lineBytesMaxOf = ({ fileBytesMax }: Pick<BundleLimits, 'fileBytesMax'>): number =>
  Math.min(Math.max(recordBytesMax, Math.ceil((fileBytesMax * 4) / 3) + 4096), textBytesMax)

/**
 * The lines of a bundle, without line feeds. Only one line, and the chunk that it ends in, is in memory. Throws for a line
 * or a bundle that exceeds the limits.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, limits: BundleLimits): AsyncGenerator<Buffer> {
  const { bundleBytesMax } = limits
  const lineBytesMax = lineBytesMaxOf(limits)
  let bundleBytes = 0
  let open: Buffer[] = []
  let openBytes = 0
  let number = 1
  for await (const chunk of bytes) {
    bundleBytes += chunk.length
    if (bundleBytes > bundleBytesMax) throw new ServiceError('body_too_large', { bytesMax: bundleBytesMax })
    let start = 0
    for (let feed = chunk.indexOf(0x0a); feed !== -1; feed = chunk.indexOf(0x0a, start)) {
      const rest = chunk.subarray(start, feed)
      yield open.length === 0 ? rest : Buffer.concat([...open, rest])
      number += 1
      open = []
      openBytes = 0
      start = feed + 1
    }
    if (start === chunk.length) continue
    open.push(chunk.subarray(start))
    openBytes += chunk.length - start
    if (openBytes > lineBytesMax)
      throw invalid(`line ${number}`, `must not be longer than ${lineBytesMax} bytes`)
  }
  if (open.length > 0) yield Buffer.concat(open)
}
