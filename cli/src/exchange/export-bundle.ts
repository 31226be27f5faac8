import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { readLines } from '../datasets/formats.ts'
import { asText, download } from '../download.ts'
import { startProgress } from '../progress.ts'
import type { Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { verifyBundle } from './bundle.ts'

/** Streams the bundle to a file, which gets its final name only if it is complete. */
export async function exportBundle(session: Session, file: string): Promise<void> {
  const progress = startProgress(session, 'lines', undefined)
  let count = 0
  async function* readVerifiedLines(): AsyncGenerator<string> {
    // Writes exactly the lines that were verified.
    const pendingLines: string[] = []
    async function* downloadLines(): AsyncGenerator<string> {
      for await (const line of readLines(asText(download(session, '/export')))) {
        pendingLines.push(`${line}\n`)
        count++
        progress.advance()
        yield line
      }
    }
    for await (const _line of verifyBundle(downloadLines())) yield pendingLines.splice(0).join('')
    yield pendingLines.join('')
  }
  try {
    await writeWhole(
      session,
      file,
      file.endsWith('.gz') ? Readable.from(readVerifiedLines()).compose(createGzip()) : readVerifiedLines(),
      { mode: 0o600 },
    )
  } finally {
    progress.end()
  }
  session.print({ file, lines: count }, `The workspace is in ${file}: ${count} lines.`)
}
