/** Files that are whole or not there. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandFailed, type Session } from './session.ts'

/**
 * Writes beside the file, and gives it its name when everything is on the disk. What was written before a failure
 * stays in `FILE.part`. `mode` is that of a new file, less the umask. Without a file, or to `-`, it goes to standard output.
 */
export async function writeWhole(
  { stdout, signal }: Pick<Session, 'stdout' | 'signal'>,
  file: string | undefined,
  pieces: AsyncIterable<string | Uint8Array>,
  { mode = 0o666 }: { readonly mode?: number } = {},
): Promise<void> {
  let failure: unknown
  // Ends early instead of failing, so that everything that came before is written too.
  async function* untilFailure(): AsyncGenerator<string | Uint8Array> {
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted()
        yield piece
      }
    } catch (cause) {
      failure = cause
    }
  }
  try {
    if (file === undefined || file === '-') {
      for await (const piece of untilFailure()) {
        if (!stdout.write(piece)) await once(stdout, 'drain')
      }
    } else await pipeline(untilFailure(), createWriteStream(`${file}.part`, { flush: true, mode }))
    if (failure !== undefined) throw failure
    if (file !== undefined && file !== '-') await rename(`${file}.part`, file)
  } catch (cause) {
    const why = signal.aborted ? 'it was interrupted' : cause instanceof Error ? cause.message : String(cause)
    const where = file === undefined || file === '-' ? '' : ` What came before is in ${file}.part.`
    throw new CommandFailed(`The file is not complete: ${why.replace(/\.$/, '')}.${where}`, { cause })
  }
}
