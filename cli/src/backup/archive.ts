/** Streams a backup through: verifies each file against the checksums at its end and, optionally, unpacks it. */
import { createHash, type Hash } from 'node:crypto'
import { CommandFailed } from '../session.ts'
import { type TarEntry, TarReader } from './tar-reader.ts'

/** The first entry of a backup. */
export interface BackupHeader {
  readonly format: number
  readonly madeAt: string
  /** Stores outside the data folder, which the backup does not contain. */
  readonly elsewhere: readonly string[]
  readonly files: number
  readonly bytes: number
}

/** The last entry: the SHA-256 of every file and the target of every link, by path. */
interface Checksums {
  readonly files: Readonly<Record<string, string>>
  readonly links: Readonly<Record<string, string>>
}

/** Receives the entries of a backup. */
export interface EntrySink {
  begin(entry: TarEntry): Promise<void>
  bytes(piece: Buffer): Promise<void>
  end(): Promise<void>
}

export interface ArchiveParts {
  readonly onHeader: (header: BackupHeader) => void
  /** Called after each file. */
  readonly onFile: () => void
  readonly sink?: EntrySink
}

const headerPath = 'backup.json'
const checksumsPath = 'checksums.json'
const supportedFormat = 1

/** Yields the pieces unchanged; throws, at the latest at the end, if they are not a complete and valid backup. */
export async function* verifyArchive(
  pieces: AsyncIterable<Uint8Array>,
  { onHeader, onFile, sink }: ArchiveParts,
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, string>()
  const links = new Map<string, string>()
  let header: BackupHeader | undefined
  let checksums: Checksums | undefined
  let entry: TarEntry | undefined
  let hash: Hash | undefined
  let ownPieces: Buffer[] = []
  const isOwn = (path: string | undefined): boolean => path === headerPath || path === checksumsPath

  const reader = new TarReader({
    async begin(nextEntry) {
      if ((header === undefined) !== (nextEntry.path === headerPath)) throw damagedBackup()
      rejectUnsafePath(nextEntry, links)
      entry = nextEntry
      ownPieces = []
      hash = createHash('sha256')
      if (nextEntry.type === 'symlink') links.set(nextEntry.path, nextEntry.target)
      if (!isOwn(nextEntry.path)) await sink?.begin(nextEntry)
    },
    async bytes(piece) {
      if (isOwn(entry?.path)) ownPieces.push(piece)
      else {
        hash!.update(piece)
        await sink?.bytes(piece)
      }
    },
    async end() {
      const { path, type } = entry!
      if (path === headerPath) {
        header = parseJson<BackupHeader>(ownPieces)
        if (header.format !== supportedFormat)
          throw new CommandFailed('Another version made this backup; use the command line of that version.')
        onHeader(header)
      } else if (path === checksumsPath) checksums = parseJson<Checksums>(ownPieces)
      else {
        await sink?.end()
        if (type !== 'file') return
        files.set(path, hash!.digest('hex'))
        onFile()
      }
    },
  })
  for await (const piece of pieces) {
    await reader.push(piece)
    yield piece
  }
  if (checksums === undefined || !reader.isAtEnd)
    throw new CommandFailed('The backup is incomplete: its end is missing.')
  compareChecksums(files, checksums.files)
  compareChecksums(links, checksums.links)
}

function compareChecksums(
  actual: ReadonlyMap<string, string>,
  checksums: Readonly<Record<string, string>>,
): void {
  for (const [path, value] of Object.entries(checksums))
    if (actual.get(path) !== value)
      throw new CommandFailed(`The backup is damaged: ${path} does not match its checksum.`)
  if (actual.size !== Object.keys(checksums).length) throw damagedBackup()
}

const damagedBackup = (): CommandFailed => new CommandFailed('This is not a backup, or it is damaged.')

/** Safe: the value is used only if every checksum matches. */
function parseJson<Value>(pieces: readonly Buffer[]): Value {
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Value
  } catch {
    throw damagedBackup()
  }
}

/** Rejects entries that would land outside the folder: a backup may come from an untrusted source. */
function rejectUnsafePath({ path, type, target }: TarEntry, links: ReadonlyMap<string, string>): void {
  const isInside = (steps: readonly string[]): boolean => {
    let depth = 0
    for (const step of steps) {
      depth += step === '..' ? -1 : 1
      if (depth < 0) return false
    }
    return true
  }
  const steps = path.split('/')
  const isPlain = steps.every((step) => step !== '' && step !== '.' && step !== '..' && !/[\\\0:]/.test(step))
  const isBelowLink = steps.some((_step, index) => links.has(steps.slice(0, index).join('/')))
  const escapesFolder =
    type === 'symlink' &&
    (target.startsWith('/') || target === '' || !isInside([...steps.slice(0, -1), ...target.split('/')]))
  if (!isPlain || isBelowLink || escapesFolder)
    throw new CommandFailed(`The backup is damaged: ${JSON.stringify(path)} would land outside the folder.`)
}
