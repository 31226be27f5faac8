import { invalid, type operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { checkColumns, toColumn, toSummary } from './summary.ts'

export const update: Verb<typeof operations.datasets.update> = async (
  { slug, name, columns, renames },
  { workspace },
) => {
  if (columns != null && renames != null) throw invalid('renames', 'must not be combined with columns')
  if (renames != null) return { dataset: toSummary(await renameColumns(workspace, slug, name, renames)) }
  if (columns != null) checkColumns(columns)
  const change = { name: name ?? undefined, columns: columns?.map(toColumn) }
  return { dataset: toSummary(await mapStorageErrors(workspace.datasets.update(slug, change))) }
}

/** The columns keep their positions, and the rows' values move to the new names. */
async function renameColumns(
  workspace: Workspace,
  slug: string,
  name: string | null | undefined,
  renames: Readonly<Record<string, string>>,
) {
  const moved = new Map(Object.entries(renames))
  return mapStorageErrors(
    workspace.datasets.update(slug, {
      name: name ?? undefined,
      renames: moved,
      columns: (currentColumns) => {
        for (const old of moved.keys())
          if (!currentColumns.some((column) => column.name === old))
            throw invalid('renames', `has "${old}", which is not a column of the dataset`)
        const columns = currentColumns
          .map(toColumn)
          .map((column) => ({ ...column, name: moved.get(column.name) ?? column.name }))
        checkColumns(columns, 'renames')
        return columns
      },
    }),
  )
}
