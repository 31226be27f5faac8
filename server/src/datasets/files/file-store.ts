/** Where the bytes of files and images are: a folder, an S3-compatible bucket, or the control store that nodes share. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ControlStore } from '@plumbline/storage/control'
import { AwsClient } from 'aws4fetch'
import { type Config, haveSharedStores } from '../../config.ts'
import { ByteLimit } from './byte-limit.ts'
import { makeControlStoreFiles } from './control-store-files.ts'
import { type FileKey, readFileKey } from './file-key.ts'

/** Bytes that have arrived whole, and are not yet the file. */
export interface ReceivedFile {
  readonly sizeBytes: number
  /** In hex. */
  readonly sha256: string
  /** The upload of the control store that has them, if that is where they are. */
  readonly uploadId?: string
  /** Makes them the file, in place of what it had. */
  keep(): Promise<void>
  discard(): Promise<void>
}

export interface FileStore {
  /** An address of the store's own to PUT the bytes to; undefined where they come through this service. */
  uploadUrl(fileKey: FileKey, contentType: string, expiresInSeconds: number): Promise<string | undefined>
  /** Writes the bytes beside the file, durably; throws `file_too_large` and leaves nothing beyond the limit. */
  receive(fileKey: FileKey, bytes: Readable, bytesMax: number): Promise<ReceivedFile>
  read(fileKey: FileKey): Promise<Readable | undefined>
  /** Deletes one file; what happens twice does no harm. */
  delete(fileKey: FileKey): Promise<void>
  /** Deletes every file of the workspace; `fileKeys` are those that were announced. What happens twice does no harm. */
  deleteAll(fileKeys: AsyncIterable<string>): Promise<void>
}

declare module '../../workspace/workspace.ts' {
  interface Workspace {
    readonly fileStore: FileStore
  }
}

/** A link is never followed: it may lead out of the folder. Neither is a pipe waited for. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants

export interface FilePlaces {
  readonly config: Config
  readonly dataFolder: string
  readonly control: Pick<ControlStore, 'scopedTo'>
}

/** Where the files of a workspace are, by the settings. */
export function fileStoreOf(workspaceId: string, { config, dataFolder, control }: FilePlaces): FileStore {
  const {
    S3_BUCKET_URL: url,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config
  if (url !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined)
    return makeBucketStore({ url, region, accessKeyId, secretAccessKey }, workspaceId)
  const folderStore = makeFolderStore(join(dataFolder, 'files', workspaceId))
  return haveSharedStores(config)
    ? makeControlStoreFiles(control.scopedTo({ workspaceId }).fileContents, folderStore)
    : folderStore
}

/** Files of one workspace in a folder, each under its key. */
export function makeFolderStore(folder: string): FileStore {
  return {
    uploadUrl: async () => undefined,
    async receive(fileKey, bytes, bytesMax) {
      const path = pathIn(folder, fileKey)
      await mkdir(folder, { recursive: true })
      // Each upload writes a file of its own, so that a retry never mixes with an upload that is still open.
      const partial = `${path}.${randomUUID()}${partialEnding}`
      const file = await open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      const discard = () => rm(partial, { force: true })
      const limit = new ByteLimit(bytesMax)
      try {
        await pipeline(bytes, limit, file.createWriteStream({ flush: true }))
      } catch (error) {
        await discard()
        throw error
      }
      return { sizeBytes: limit.size, sha256: limit.sha256(), keep: () => rename(partial, path), discard }
    },
    async read(fileKey) {
      const path = pathIn(folder, fileKey)
      const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
        if (isNoFile(error)) return undefined
        throw error
      })
      if (file === undefined) return undefined
      if ((await file.stat()).isFile()) return file.createReadStream()
      await file.close()
      return undefined
    },
    delete: (fileKey) => rm(pathIn(folder, fileKey), { force: true }),
    deleteAll: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Nothing, a link or a socket; where too many files are open, the file may be there, and an export must not go on without it. */
const isNoFile = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(String((error as NodeJS.ErrnoException).code))

/** Of an upload that has not ended. */
const partialEnding = '.partial'

/** Removes what uploads have left that a former process did not finish: no row tells of it, so that nothing else would. */
export async function removeUnfinishedUploads(dataFolder: string): Promise<void> {
  const entries = await readdir(join(dataFolder, 'files'), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const folder = join(entry.parentPath, entry.name)
    for (const name of await readdir(folder))
      if (name.endsWith(partialEnding)) await rm(join(folder, name), { force: true })
  }
}

/** The path of a file. The type says that the key was checked; a path is worth a second look. */
function pathIn(folder: string, fileKey: FileKey): string {
  const path = resolve(folder, checkedKey(fileKey))
  if (dirname(path) !== resolve(folder)) throw new Error('A file key leads out of its folder.')
  return path
}

function checkedKey(fileKey: FileKey): FileKey {
  if (readFileKey(fileKey) === undefined) throw new Error('A file key does not have the form of one.')
  return fileKey
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
  const addressOf = (fileKey: FileKey): string =>
    `${url}/${encodeURIComponent(prefix)}/${checkedKey(fileKey)}`
  const remove = async (fileKey: FileKey): Promise<void> => {
    const answer = await client.fetch(addressOf(fileKey), { method: 'DELETE' })
    if (!answer.ok && answer.status !== 404) throw new Error(`The bucket answered ${answer.status}.`)
  }
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
    receive: () => Promise.reject(new Error('Clients send the bytes to the bucket themselves.')),
    async read(fileKey) {
      const answer = await client.fetch(addressOf(fileKey))
      if (answer.status === 404) return undefined
      if (!answer.ok || answer.body === null) throw new Error(`The bucket answered ${answer.status}.`)
      // Safe: the platform's and Node's types of the same web stream differ in name only.
      return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
    },
    delete: remove,
    async deleteAll(fileKeys) {
      for await (const text of fileKeys) {
        const fileKey = readFileKey(text)
        // Nothing was ever stored under what is no key of ours.
        if (fileKey !== undefined) await remove(fileKey)
      }
    },
  }
}
