/** Compares the bytes of files with those that were uploaded. */
import { createHash } from 'node:crypto'
import type { ControlStore } from '@plumbline/storage/control'
import { readFileKey } from '../../datasets/files/file-key.ts'
import type { FileStore } from '../../datasets/files/file-store.ts'
import type { Finding } from './verify.ts'

export interface FilesToCheck {
  readonly control: Pick<ControlStore, 'revisions' | 'scopedTo'>
  readonly fileStoreOf: (workspaceId: string) => FileStore
}

export interface CheckedFiles {
  /** Files compared byte for byte. */
  readonly compared: number
  /**
   * Files without a hash, because an older version stored them or they were uploaded to a bucket: only their size was
   * compared.
   */
  readonly sizedOnly: number
}

export async function checkFiles(
  files: FilesToCheck | undefined,
): Promise<{ findings: Finding[]; counts: CheckedFiles }> {
  const findings: Finding[] = []
  let compared = 0
  let sizedOnly = 0
  for (const workspaceId of (await files?.control.revisions())?.keys() ?? []) {
    const storedFiles = files!.control.scopedTo({ workspaceId }).files
    for await (const chunk of storedFiles.listUploads())
      for (const { fileKey, sizeBytes, sha256 } of chunk) {
        const problem = await problemOf(files!.fileStoreOf(workspaceId), { fileKey, sizeBytes, sha256 })
        if (sha256 === undefined) sizedOnly += 1
        else compared += 1
        if (problem !== undefined)
          findings.push({ store: 'files', where: `${fileKey} of workspace ${workspaceId}`, problem })
      }
  }
  return { findings, counts: { compared, sizedOnly } }
}

async function problemOf(
  store: FileStore,
  file: {
    readonly fileKey: string
    readonly sizeBytes: number | undefined
    readonly sha256: string | undefined
  },
): Promise<string | undefined> {
  const fileKey = readFileKey(file.fileKey)
  const bytes = fileKey === undefined ? undefined : await store.read(fileKey)
  if (bytes === undefined) return 'Its bytes are missing.'
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of bytes) {
    // Safe: file stores return streams of bytes.
    const chunk = piece as Buffer
    size += chunk.length
    hash.update(chunk)
  }
  if (file.sizeBytes !== undefined && size !== file.sizeBytes)
    return `It has ${size} bytes instead of ${file.sizeBytes}.`
  if (file.sha256 !== undefined && hash.digest('hex') !== file.sha256)
    return 'Its bytes differ from those that were uploaded.'
  return undefined
}
