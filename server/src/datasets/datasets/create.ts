import type { operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkColumns, toColumn, toSummary } from './summary.ts'

export const create: Verb<typeof operations.datasets.create> = async (
  { slug, name, columns },
  { workspace, now },
) => {
  checkColumns(columns)
  const created = workspace.datasets.create({ slug, name, columns: columns.map(toColumn) }, now)
  return { dataset: toSummary(await mapConflict('dataset', slug, created)) }
}
