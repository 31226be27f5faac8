/**
 * Entries of a tar archive (POSIX ustar), so that backups can be opened with any tar. Packages for it bring native modules
 * of other runtimes; the part of the format that is needed here is one block before each file.
 */

export interface TarEntry {
  /** With slashes, and none at the beginning. */
  readonly path: string
  readonly type: 'file' | 'directory' | 'symlink'
  readonly bytes: number
  /** The target of a symlink. */
  readonly target?: string
}

const blockBytes = 512
const types = { file: '0', symlink: '2', directory: '5' } as const
/** The maximum of 11 octal digits. */
const octalMax = 8 ** 11 - 1

/** The block before an entry's bytes. */
export function tarHeader({ path, type, bytes, target = '' }: TarEntry, modifiedAt: Date): Buffer {
  const block = Buffer.alloc(blockBytes)
  const { prefix, name } = splitPath(path)
  if (Buffer.byteLength(target) > 100)
    throw new RangeError(`The target of the link ${path} is too long for a tar archive.`)
  block.write(name, 0)
  block.write(octal(type === 'file' ? 0o600 : 0o700, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  writeSize(block, bytes)
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136)
  block.write(types[type], 156)
  block.write(target, 157)
  block.write('ustar\u000000', 257)
  block.write(prefix, 345)
  // The checksum is computed with blanks in its own place.
  block.write(' '.repeat(8), 148)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Padding that fills up an entry of this size to a whole block. */
export const tarPadding = (bytes: number): Buffer =>
  Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)

/** The end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/** From 8 GiB in binary, as GNU tar and other implementations do. */
function writeSize(block: Buffer, bytes: number): void {
  if (bytes <= octalMax) block.write(octal(bytes, 12), 124)
  else {
    block.writeBigUInt64BE(BigInt(bytes), 128)
    block[124] = 0x80
  }
}

/** A name has room for 100 bytes, and its prefix, without the slash in between, for 155. */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path }
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const prefix = path.slice(0, slash)
    const name = path.slice(slash + 1)
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, name }
  }
  throw new RangeError(`The path ${path} is too long for a tar archive.`)
}
