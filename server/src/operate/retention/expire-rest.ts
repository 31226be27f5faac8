/** Retention of data other than traces: samples of rejected records, and files without references. */
import type { RetentionRules } from '@plumbline/storage/control'
import { readFileKey } from '../../datasets/files/file-key.ts'
import { removeFile } from '../../datasets/files/remove-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { referencedKeys } from '../erasures/find-rows.ts'
import { cutoffOf } from './rules.ts'

export async function expireRest(workspace: Workspace, rules: RetentionRules, now: Date): Promise<void> {
  const samplesUntil = cutoffOf(rules.ledgerSampleDays, now)
  if (samplesUntil !== undefined)
    await workspace.subjectReferences.removeLedgerSamples({
      isOfSubject: () => true,
      until: samplesUntil,
      mode: 'remove',
    })
  const filesUntil = cutoffOf(rules.fileDays, now)
  if (filesUntil === undefined) return
  for (const { fileKey } of await unreferencedFiles(workspace, filesUntil)) {
    const key = readFileKey(fileKey)
    if (key !== undefined) await removeFile(workspace, key)
  }
}

/** Files that were announced before the cutoff and that no row refers to. */
export async function unreferencedFiles(
  workspace: Pick<Workspace, 'files' | 'subjectReferences'>,
  cutoff: Date,
): Promise<UnreferencedFile[]> {
  const referenced = await referencedKeys(workspace)
  const unreferenced: UnreferencedFile[] = []
  for await (const files of workspace.files.walkAnnouncedBefore(cutoff))
    unreferenced.push(...files.filter(({ fileKey }) => !referenced.has(fileKey)))
  return unreferenced
}

export interface UnreferencedFile {
  readonly fileKey: string
  readonly createdAt: Date
}
