/** Streams a snapshot as a tar archive: any `tar` can open it, and `plumbline restore` verifies it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshot } from './snapshot.ts'
import { type TarEntry, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** The first entry: the contents of the archive. */
interface BackupHeader {
  readonly format: 1
  readonly madeAt: string
  /** What is missing because the service stores it elsewhere. */
  readonly elsewhere: readonly string[]
  readonly files: number
  readonly bytes: number
}

/** The last entry; without it the archive was truncated. The SHA-256 of every file, and the targets of links, by path. */
interface BackupChecksums {
  readonly files: Record<string, string>
  readonly links: Record<string, string>
}

const headerPath = 'backup.json'
const checksumsPath = 'checksums.json'

export async function* packSnapshot({ folder, elsewhere }: Snapshot, now: Date): AsyncGenerator<Buffer> {
  const entries = await entriesIn(folder, '')
  const files = entries.filter(({ type }) => type === 'file')
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const header: BackupHeader = { format: 1, madeAt: now.toISOString(), elsewhere, files: files.length, bytes }
  const checksums: BackupChecksums = { files: {}, links: {} }
  yield* textEntry(headerPath, JSON.stringify(header), now)
  for (const entry of entries) {
    yield tarHeader(entry, now)
    if (entry.type === 'symlink') checksums.links[entry.path] = entry.target!
    if (entry.type !== 'file') continue
    const hash = createHash('sha256')
    let read = 0
    // No more than the header says, though the file may have grown since.
    const end = { end: entry.bytes - 1 }
    if (entry.bytes > 0)
      for await (const chunk of createReadStream(join(folder, entry.path), end) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        read += chunk.length
        yield chunk
      }
    if (read !== entry.bytes) throw new Error(`${entry.path} became shorter while it was being read.`)
    yield tarPadding(entry.bytes)
    checksums.files[entry.path] = hash.digest('hex')
  }
  yield* textEntry(checksumsPath, JSON.stringify(checksums), now)
  yield tarEnd()
}

function* textEntry(path: string, text: string, now: Date): Generator<Buffer> {
  const bytes = Buffer.from(text)
  yield tarHeader({ path, type: 'file', bytes: bytes.length }, now)
  yield bytes
  yield tarPadding(bytes.length)
}

/** Everything below a folder, each folder before its contents. */
async function entriesIn(folder: string, prefix: string): Promise<TarEntry[]> {
  const entries: TarEntry[] = []
  for (const name of (await readdir(join(folder, prefix))).sort()) {
    const path = prefix === '' ? name : `${prefix}/${name}`
    const full = join(folder, path)
    const stats = await lstat(full)
    if (stats.isSymbolicLink())
      entries.push({ path, type: 'symlink', bytes: 0, target: await readlink(full) })
    else if (stats.isFile()) entries.push({ path, type: 'file', bytes: stats.size })
    else entries.push({ path, type: 'directory', bytes: 0 }, ...(await entriesIn(folder, path)))
  }
  return entries
}
