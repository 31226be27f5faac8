/** A backup as it passes by: its files checked against the checksums at its end, and put down where that is asked for. */
import { createHash, type Hash } from 'node:crypto'
import { CommandFailed } from '../session.ts'
import { type TarEntry, TarReader } from './tar-reader.ts'

/** The first entry of a backup. */
export interface BackupHeader {
  readonly format: number
  readonly madeAt: string
  /** What the service keeps elsewhere. */
  readonly elsewhere: readonly string[]
  readonly files: number
  readonly bytes: number
}

/** The last entry: SHA-256 of every file, and the targets of links, by path. */
interface Checksums {
  readonly files: Readonly<Record<string, string>>
  readonly links: Readonly<Record<string, string>>
}

/** Where the entries of a backup go. */
export interface Place {
  begin(entry: TarEntry): Promise<void>
  bytes(piece: Buffer): Promise<void>
  end(): Promise<void>
}

export interface ArchiveParts {
  readonly onHeader: (header: BackupHeader) => void
  /** Told after each file. */
  readonly onFile: () => void
  readonly place?: Place
}

const headerPath = 'backup.json'
const checksumsPath = 'checksums.json'
const formatKnown = 1

/** The same pieces; fails at the end, or before, if they are not a whole and sound backup. */
export async function* checked(
  pieces: AsyncIterable<Uint8Array>,
  { onHeader, onFile, place }: ArchiveParts,
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, string>()
  const links = new Map<string, string>()
  let header: BackupHeader | undefined
  let checksums: Checksums | undefined
  let entry: TarEntry | undefined
  let hash: Hash | undefined
  let own: Buffer[] = []
  const isOwn = (path: string | undefined): boolean => path === headerPath || path === checksumsPath

  const reader = new TarReader({
    async begin(begun) {
      if ((header === undefined) !== (begun.path === headerPath)) throw damaged()
      refuseUnsafe(begun, links)
      entry = begun
      own = []
      hash = createHash('sha256')
      if (begun.type === 'symlink') links.set(begun.path, begun.target)
      if (!isOwn(begun.path)) await place?.begin(begun)
    },
    async bytes(piece) {
      if (isOwn(entry?.path)) own.push(piece)
      else {
        hash!.update(piece)
        await place?.bytes(piece)
      }
    },
    async end() {
      const { path, type } = entry!
      if (path === headerPath) {
        header = parsed<BackupHeader>(own)
        if (header.format !== formatKnown)
          throw new CommandFailed(
            'This backup was made by another version; use the command line of that one.',
          )
        onHeader(header)
      } else if (path === checksumsPath) checksums = parsed<Checksums>(own)
      else {
        await place?.end()
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
    throw new CommandFailed('The backup is not whole: its end is missing.')
  compare(files, checksums.files)
  compare(links, checksums.links)
}

function compare(found: ReadonlyMap<string, string>, stated: Readonly<Record<string, string>>): void {
  for (const [path, value] of Object.entries(stated))
    if (found.get(path) !== value)
      throw new CommandFailed(`The backup is damaged: ${path} is not what it was.`)
  if (found.size !== Object.keys(stated).length) throw damaged()
}

const damaged = (): CommandFailed => new CommandFailed('This is no backup, or it is damaged.')

/** Safe to take as what it should be: it is used only if every checksum is right. */
function parsed<Value>(pieces: readonly Buffer[]): Value {
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Value
  } catch {
    throw damaged()
  }
}

/** Nothing may come to lie outside of the folder: a backup may have passed through anybody's hands. */
function refuseUnsafe({ path, type, target }: TarEntry, links: ReadonlyMap<string, string>): void {
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
  const isBelowLink = steps.some((_step, at) => links.has(steps.slice(0, at).join('/')))
  const leadsOut =
    type === 'symlink' &&
    (target.startsWith('/') || target === '' || !isInside([...steps.slice(0, -1), ...target.split('/')]))
  if (!isPlain || isBelowLink || leadsOut)
    throw new CommandFailed(`The backup is damaged: ${JSON.stringify(path)} would lie outside of the folder.`)
}
