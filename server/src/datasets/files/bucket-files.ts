/** A workspace's files in an S3-compatible bucket, which only the service has to reach. */
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ServiceError } from '@plumbline/contract'
import { AwsClient } from 'aws4fetch'
import { checkedKey, type FileKey, readFileKey } from './file-key.ts'
import type { FileStore } from './file-store.ts'
import { writePartial } from './folder-files.ts'
import { makeUploadTurns } from './upload-turns.ts'

interface BucketParts {
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The prefix of object names. */
  readonly prefix: string
  /** Holds uploads until they are complete: the bucket needs their size first. */
  readonly folder: string
}

/** An unavailable bucket is tried three times, within a second. */
const retries = 2

export function makeBucketFiles({ url, prefix, folder, ...credentials }: BucketParts): FileStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries })
  const ask = async (fileKey: FileKey, init: RequestInit = {}): Promise<Response> => {
    const address = `${url}/${encodeURIComponent(prefix)}/${checkedKey(fileKey)}`
    const answer = await client.fetch(address, init).catch((cause: unknown) => {
      throw new ServiceError('unavailable', { problem: 'The file bucket cannot be reached.' }, { cause })
    })
    if (answer.status >= 500)
      throw new ServiceError('unavailable', { problem: `The file bucket responded with ${answer.status}.` })
    return answer
  }
  const remove = async (fileKey: FileKey): Promise<void> => {
    const answer = await ask(fileKey, { method: 'DELETE' })
    if (!answer.ok && answer.status !== 404) throw refusalOf(answer)
  }
  const write = async (fileKey: FileKey, file: string, sha256: string): Promise<void> => {
    const answer = await ask(fileKey, {
      method: 'PUT',
      body: await openAsBlob(file),
      headers: { 'content-type': 'application/octet-stream', 'x-amz-content-sha256': sha256 },
    })
    if (!answer.ok) throw refusalOf(answer)
  }
  const startUpload = makeUploadTurns()
  return {
    async receive(fileKey, bytes, bytesMax) {
      const upload = startUpload(fileKey)
      try {
        const { partial, sizeBytes, sha256 } = await writePartial(folder, fileKey, bytes, bytesMax)
        let isWritten = false
        try {
          isWritten = await upload.begin()
          if (isWritten) await write(fileKey, partial, sha256)
        } finally {
          await rm(partial, { force: true })
        }
        return {
          sizeBytes,
          sha256,
          async keep() {
            // The other upload was first, but its transaction failed.
            if (!isWritten)
              throw new ServiceError('unavailable', { problem: 'Another upload of this file has failed.' })
            upload.end(true)
          },
          // The object is not deleted: another upload to the same URL may have written it.
          discard: async () => upload.end(false),
        }
      } catch (error) {
        upload.end(false)
        throw error
      }
    },
    async read(fileKey) {
      const answer = await ask(fileKey)
      if (answer.status === 404) return undefined
      if (!answer.ok || answer.body === null) throw refusalOf(answer)
      // Safe: the platform's and Node's types of the same web stream differ only in name.
      return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
    },
    delete: remove,
    async deleteAll(fileKeys) {
      for await (const text of fileKeys) {
        const fileKey = readFileKey(text)
        // Nothing was ever stored under a name that is not one of our keys.
        if (fileKey !== undefined) await remove(fileKey)
      }
    },
  }
}

const refusalOf = ({ status }: Response): Error => new Error(`The file bucket responded with ${status}.`)
