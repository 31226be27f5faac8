import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { readLines } from '../datasets/formats.ts'
import { asText, download } from '../download.ts'
import { startProgress } from '../progress.ts'
import type { Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { checkedLines } from './bundle.ts'

/** Writes the bundle as it comes; it gets its name only if it is whole. */
export async function exportBundle(session: Session, file: string): Promise<void> {
  const progress = startProgress(session, 'lines', undefined)
  let count = 0
  async function* whole(): AsyncGenerator<string> {
    // Both see each line: what is written is what was checked.
    const passed: string[] = []
    async function* told(): AsyncGenerator<string> {
      for await (const line of readLines(asText(download(session, '/export')))) {
        passed.push(`${line}\n`)
        count++
        progress.advance()
        yield line
      }
    }
    for await (const _line of checkedLines(told())) yield passed.splice(0).join('')
    yield passed.join('')
  }
  try {
    await writeWhole(
      session,
      file,
      file.endsWith('.gz') ? Readable.from(whole()).compose(createGzip()) : whole(),
      { mode: 0o600 },
    )
  } finally {
    progress.end()
  }
  session.print({ file, lines: count }, `The workspace is in ${file}: ${count} lines.`)
}
