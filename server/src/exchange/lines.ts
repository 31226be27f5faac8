import { invalid } from '@plumbline/contract'

/** A trace of 16 MiB may be three times as long here: its texts are JSON within JSON. */
const lineBytesMax = 128 * 1024 * 1024

/** The lines of a file, without their line feeds; what is in memory is one line and the piece that it ends in. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open: Buffer[] = []
  let openBytes = 0
  let number = 1
  for await (const chunk of bytes) {
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
