import type { Workspace } from '../../workspace/workspace.ts'
import type { FileKey } from './file-key.ts'

/** Deletes a file; returns whether it existed. The row is deleted after the bytes, so that a failure can be repeated. */
export async function removeFile(
  { files, fileStore }: Pick<Workspace, 'files' | 'fileStore'>,
  fileKey: FileKey,
): Promise<boolean> {
  // Not in a transaction: a bucket may take long to respond, and others would wait for it.
  await fileStore.delete(fileKey)
  const existed = await files.remove(fileKey)
  // An upload may have finished in between.
  if (existed) await fileStore.delete(fileKey)
  return existed
}
