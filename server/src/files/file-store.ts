/** Where the bytes of files and images are: a folder, or an S3-compatible bucket. */
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '@plumbline/contract'
import { AwsClient } from 'aws4fetch'

export interface FileStore {
  /** An address of the store's own to PUT the bytes to; undefined where they come through this service. */
  uploadUrl(fileKey: string, contentType: string, expiresInSeconds: number): Promise<string | undefined>
  /** Keeps the bytes, durably; throws `file_too_large` and keeps nothing beyond the limit. */
  write(fileKey: string, bytes: Readable, bytesMax: number): Promise<number>
  read(fileKey: string): Promise<Readable | undefined>
  /** Deletes every file of the workspace; `fileKeys` are those that were announced. What happens twice does no harm. */
  deleteAll(fileKeys: AsyncIterable<string>): Promise<void>
}

/** Files of one workspace in a folder. Keys are ids that this service made, so they are safe as file names. */
export function makeFolderStore(folder: string): FileStore {
  return {
    uploadUrl: async () => undefined,
    async write(fileKey, bytes, bytesMax) {
      await mkdir(folder, { recursive: true })
      const partial = join(folder, `${fileKey}.partial`)
      const file = await open(partial, 'w')
      let size = 0
      const limit = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length
          if (size > bytesMax) done(new ServiceError('file_too_large', { bytesMax }))
          else done(null, chunk)
        },
      })
      try {
        await pipeline(bytes, limit, file.createWriteStream({ flush: true }))
        await rename(partial, join(folder, fileKey))
        return size
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async read(fileKey) {
      const path = join(folder, fileKey)
      const found = await stat(path).catch(() => undefined)
      return found?.isFile() ? createReadStream(path) : undefined
    },
    deleteAll: () => rm(folder, { recursive: true, force: true }),
  }
}

interface Bucket {
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Files of one workspace in a bucket, under its own prefix. Clients send the bytes to the bucket themselves. */
export function makeBucketStore(
  { url, region, accessKeyId, secretAccessKey }: Bucket,
  prefix: string,
): FileStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const addressOf = (fileKey: string): string =>
    `${url}/${encodeURIComponent(prefix)}/${encodeURIComponent(fileKey)}`
  return {
    async uploadUrl(fileKey, contentType, expiresInSeconds) {
      const address = new URL(addressOf(fileKey))
      address.searchParams.set('X-Amz-Expires', String(expiresInSeconds))
      const headers = { 'content-type': contentType }
      const signed = await client.sign(address, {
        method: 'PUT',
        headers,
        aws: { signQuery: true, allHeaders: true },
      })
      return signed.url
    },
    write: () => Promise.reject(new Error('Clients send the bytes to the bucket themselves.')),
    async read(fileKey) {
      const answer = await client.fetch(addressOf(fileKey))
      if (answer.status === 404) return undefined
      if (!answer.ok || answer.body === null) throw new Error(`The bucket answered ${answer.status}.`)
      // Safe: the platform's and Node's types of the same web stream differ in name only.
      return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
    },
    async deleteAll(fileKeys) {
      for await (const fileKey of fileKeys) {
        const answer = await client.fetch(addressOf(fileKey), { method: 'DELETE' })
        if (!answer.ok && answer.status !== 404) throw new Error(`The bucket answered ${answer.status}.`)
      }
    },
  }
}
