/** Reads a tar archive (POSIX ustar) as a stream; supports only what backups use. */
import { CommandFailed } from '../session.ts'

export interface TarEntry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'symlink'
  readonly bytes: number
  /** Target of a symlink. */
  readonly target: string
}

/** Receives each entry; the reader waits for the returned promise before it reads on. */
export interface TarListener {
  begin(entry: TarEntry): Promise<void>
  bytes(piece: Buffer): Promise<void>
  end(): Promise<void>
}

const blockBytes = 512
const types: Readonly<Record<string, TarEntry['type']>> = { '0': 'file', '2': 'symlink', '5': 'directory' }

export class TarReader {
  readonly #listener: TarListener
  /** The start of a block whose remaining bytes have not arrived. */
  #partialBlock: Buffer = Buffer.alloc(0)
  #bytesLeft = 0
  #paddingLeft = 0
  /** Two zero blocks end an archive; the first is enough to detect it. */
  isAtEnd = false

  constructor(listener: TarListener) {
    this.#listener = listener
  }

  async push(piece: Uint8Array): Promise<void> {
    let rest =
      this.#partialBlock.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
        : Buffer.concat([this.#partialBlock, piece])
    this.#partialBlock = Buffer.alloc(0)
    while (rest.length > 0 && !this.isAtEnd) {
      if (this.#bytesLeft > 0) {
        const part = rest.subarray(0, this.#bytesLeft)
        rest = rest.subarray(part.length)
        this.#bytesLeft -= part.length
        await this.#listener.bytes(part)
        if (this.#bytesLeft === 0) await this.#listener.end()
      } else if (this.#paddingLeft > 0) {
        const skipped = Math.min(this.#paddingLeft, rest.length)
        rest = rest.subarray(skipped)
        this.#paddingLeft -= skipped
      } else if (rest.length < blockBytes) {
        this.#partialBlock = rest
        return
      } else {
        await this.#begin(rest.subarray(0, blockBytes))
        rest = rest.subarray(blockBytes)
      }
    }
  }

  async #begin(block: Buffer): Promise<void> {
    if (block.every((byte) => byte === 0)) {
      this.isAtEnd = true
      return
    }
    const entry = readHeader(block)
    this.#bytesLeft = entry.bytes
    this.#paddingLeft = (blockBytes - (entry.bytes % blockBytes)) % blockBytes
    await this.#listener.begin(entry)
    if (entry.bytes === 0) await this.#listener.end()
  }
}

function readHeader(block: Buffer): TarEntry {
  const text = (start: number, end: number): string => {
    const zero = block.indexOf(0, start)
    return block.toString('utf8', start, zero === -1 || zero > end ? end : zero)
  }
  // The checksum is computed with its own field read as spaces.
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
  const type = types[text(156, 157)]
  if (sum !== Number.parseInt(text(148, 156), 8) || type === undefined)
    throw new CommandFailed('This is not a backup, or it is damaged.')
  const prefix = text(345, 500)
  const bytes = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8)
  return {
    path: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    type,
    bytes,
    target: text(157, 257),
  }
}
