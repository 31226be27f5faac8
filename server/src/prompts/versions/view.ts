import type { PromptVersion } from '@plumbline/contract'
import type { PromptVersion as StoredVersion } from '@plumbline/storage/control'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Versions as the interface returns them. */
export async function toVersions(
  { members }: Pick<Workspace, 'members'>,
  rows: readonly StoredVersion[],
): Promise<PromptVersion[]> {
  const names = await members.names([...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))])
  return rows.map((version) => toVersion(version, names))
}

function toVersion(row: StoredVersion, names: ReadonlyMap<string, string>): PromptVersion {
  const { version, text, systemText, model, tags, message, createdAt, createdBy } = row
  return {
    version,
    text,
    systemText,
    model: readModel(model),
    ...readExtras(row),
    tags,
    ...(message === '' ? {} : { message }),
    createdAt: createdAt.toISOString(),
    ...(createdBy === undefined ? {} : { createdBy, ...nameField(names, 'createdByName', createdBy) }),
  }
}
