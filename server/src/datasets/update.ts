import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { checkColumns, toColumn, toSummary } from './summary.ts'

export const update: Verb<typeof operations.datasets.update> = async (
  { slug, name, columns },
  { workspace },
) => {
  if (columns != null) checkColumns(columns)
  const change = { name: name ?? undefined, columns: columns?.map(toColumn) }
  return { dataset: toSummary(await changing(workspace.datasets.update(slug, change))) }
}
