/** Where the bytes of files and images are stored: a folder, an S3-compatible bucket, or the control store that nodes share. */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ControlStore } from '@plumbline/storage/control'
import { type Config, haveSharedStores } from '../../config.ts'
import { makeBucketFiles } from './bucket-files.ts'
import { makeControlStoreFiles } from './control-store-files.ts'
import type { FileKey } from './file-key.ts'
import { makeFolderFiles } from './folder-files.ts'

/** Bytes that have been received completely, but have not become the file yet. */
export interface ReceivedFile {
  readonly sizeBytes: number
  /** In hex. */
  readonly sha256: string
  /** The upload in the control store, if the bytes are there. */
  readonly uploadId?: string
  /** Makes them the file's contents, replacing any earlier ones. */
  keep(): Promise<void>
  discard(): Promise<void>
}

export interface FileStore {
  /** Writes the bytes durably next to the file; throws `file_too_large` beyond the limit, and then leaves nothing. */
  receive(fileKey: FileKey, bytes: Readable, bytesMax: number): Promise<ReceivedFile>
  read(fileKey: FileKey): Promise<Readable | undefined>
  /** Deletes one file; may be repeated. */
  delete(fileKey: FileKey): Promise<void>
  /** Deletes all files of the workspace; `fileKeys` are the announced ones. May be repeated. */
  deleteAll(fileKeys: AsyncIterable<string>): Promise<void>
}

declare module '../../workspace/workspace.ts' {
  interface Workspace {
    readonly fileStore: FileStore
  }
}

export interface FilePlaces {
  readonly config: Config
  readonly dataFolder: string
  readonly control: Pick<ControlStore, 'scopedTo'>
}

/** The file store of a workspace, according to the settings. */
export function fileStoreOf(workspaceId: string, { config, dataFolder, control }: FilePlaces): FileStore {
  const {
    S3_BUCKET_URL: url,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config
  const folder = join(dataFolder, 'files', workspaceId)
  if (url !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined)
    return makeBucketFiles({ url, region, accessKeyId, secretAccessKey, prefix: workspaceId, folder })
  const folderFiles = makeFolderFiles(folder)
  return haveSharedStores(config)
    ? makeControlStoreFiles(control.scopedTo({ workspaceId }).fileContents, folderFiles)
    : folderFiles
}
