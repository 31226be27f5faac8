/** Files of one workspace in the control store, for nodes that share their stores without a bucket. */
import { randomUUIDv7 } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { WorkspaceControlStore } from '@plumbline/storage/control'
import { ByteLimit } from './byte-limit.ts'
import type { FileStore } from './file-store.ts'

/** The size of one statement's data; larger files are never completely in memory. */
const chunkBytes = 256 * 1024

/** With this node's folder, which has the files from when it was the only node. */
export function makeControlStoreFiles(
  contents: WorkspaceControlStore['fileContents'],
  folderFiles: FileStore,
): FileStore {
  return {
    async receive(fileKey, bytes, bytesMax) {
      const upload = { fileKey, uploadId: randomUUIDv7() }
      const discard = () => contents.discardUpload(upload)
      const limit = new ByteLimit(bytesMax)
      try {
        await pipeline(bytes, limit, async (stream) => {
          let position = 0
          for await (const chunk of chunksOf(stream))
            await contents.addChunk({ ...upload, position: position++ }, chunk)
        })
      } catch (error) {
        await discard()
        throw error
      }
      return {
        sizeBytes: limit.size,
        sha256: limit.sha256(),
        uploadId: upload.uploadId,
        keep: () => contents.keepUpload(upload),
        discard,
      }
    },
    async read(fileKey) {
      const uploadId = await contents.findUpload(fileKey)
      if (uploadId === undefined) return folderFiles.read(fileKey)
      return Readable.from(contents.chunks({ fileKey, uploadId }), { objectMode: false })
    },
    // The contents in the control store are deleted with the file's row.
    delete: (fileKey) => folderFiles.delete(fileKey),
    deleteAll: (fileKeys) => folderFiles.deleteAll(fileKeys),
  }
}

/** The same bytes in chunks of equal size, except for the last one. */
async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    // Safe: byte streams yield buffers.
    for (let rest = piece as Buffer; rest.length > 0; ) {
      const part = rest.subarray(0, chunkBytes - size)
      rest = rest.subarray(part.length)
      pieces.push(part)
      size += part.length
      if (size < chunkBytes) continue
      yield Buffer.concat(pieces)
      pieces = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(pieces)
}
