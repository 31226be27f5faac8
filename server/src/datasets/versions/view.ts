import type { DatasetVersion } from '@plumbline/contract'
import type { DatasetVersion as StoredVersion } from '@plumbline/storage/control'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { toColumn } from '../datasets/summary.ts'

/** Versions as the interface returns them. */
export async function toVersions(
  versions: readonly StoredVersion[],
  { members }: Workspace,
): Promise<DatasetVersion[]> {
  const names = await members.names([...new Set(versions.map(({ createdBy }) => createdBy))])
  return versions.map(({ version, note, columns, rowCount, createdBy, createdAt }) => ({
    version,
    note,
    columns: columns.map(toColumn),
    rowCount,
    createdBy,
    ...nameField(names, 'createdByName', createdBy),
    createdAt: createdAt.toISOString(),
  }))
}
