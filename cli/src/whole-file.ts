/** Writes files completely or not at all. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandFailed, type Session } from './session.ts'

/**
 * Writes to `FILE.part` and renames it once everything is on disk; after a failure, the partial file stays there.
 * `mode` applies to a new file, less the umask. Without a file, or with `-`, writes to standard output.
 */
export async function writeWhole(
  { stdout, signal }: Pick<Session, 'stdout' | 'signal'>,
  file: string | undefined,
  pieces: AsyncIterable<string | Uint8Array>,
  { mode = 0o666 }: { readonly mode?: number } = {},
): Promise<void> {
  let failure: unknown
  // Ends early instead of throwing, so that everything before the failure is written.
  async function* readUntilFailure(): AsyncGenerator<string | Uint8Array> {
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
      for await (const piece of readUntilFailure()) {
        if (!stdout.write(piece)) await once(stdout, 'drain')
      }
    } else await pipeline(readUntilFailure(), createWriteStream(`${file}.part`, { flush: true, mode }))
    if (failure !== undefined) throw failure
    if (file !== undefined && file !== '-') await rename(`${file}.part`, file)
  } catch (cause) {
    const reason = signal.aborted
      ? 'it was interrupted'
      : cause instanceof Error
        ? cause.message
        : String(cause)
    const where = file === undefined || file === '-' ? '' : ` The partial file is ${file}.part.`
    throw new CommandFailed(`The file is not complete: ${reason.replace(/\.$/, '')}.${where}`, { cause })
  }
}
