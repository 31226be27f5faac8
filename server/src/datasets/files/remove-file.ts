import type { Workspace } from '../../workspace/workspace.ts'
import type { FileKey } from './file-key.ts'

/** Deletes a file; returns whether there was one. A row goes once its bytes have gone, so that a failure can be repeated. */
export async function removeFile(
  { files, fileStore }: Pick<Workspace, 'files' | 'fileStore'>,
  fileKey: FileKey,
): Promise<boolean> {
  // In no transaction: a bucket may take long to answer, and others would wait for it.
  await fileStore.delete(fileKey)
  const existed = await files.remove(fileKey)
  // An upload may have come to its end in between.
  if (existed) await fileStore.delete(fileKey)
  return existed
}
