/**
 * Fits imported dataset rows to the existing versions. A new dataset gets its versions from the bundle. A dataset that
 * already has versions keeps them unchanged: imported rows count as added since the latest one.
 */
import type { WorkspaceSql } from '../store/workspace.ts'
import type { BundledRow, PlacedRow } from './bundle.ts'

interface DatasetHere {
  readonly lastVersion: number
  readonly hasVersions: boolean
}

/** The rows that may be stored, with their parents resolved. */
export async function fitVersions(
  tx: WorkspaceSql,
  table: string,
  rows: readonly PlacedRow[],
): Promise<readonly PlacedRow[]> {
  const fit = fits[table]
  if (fit === undefined || rows.length === 0) return rows
  const datasets = await datasetsHere(tx, [...new Set(rows.map(({ row }) => String(row.dataset_id)))])
  return rows.flatMap(({ index, row }) => {
    const fitted = fit(row, datasets.get(String(row.dataset_id))!)
    return fitted === undefined ? [] : [{ index, row: fitted }]
  })
}

const fits: Readonly<Record<string, (row: BundledRow, dataset: DatasetHere) => BundledRow | undefined>> = {
  dataset_rows(row, { lastVersion, hasVersions }) {
    const next = lastVersion + 1
    const since = Number(row.since_version ?? 1)
    return { ...row, since_version: hasVersions ? next : Math.min(since, next) }
  },
  dataset_row_history: (row, { lastVersion, hasVersions }) =>
    hasVersions || Number(row.until_version) > lastVersion ? undefined : row,
  dataset_versions: (row, { lastVersion }) => (Number(row.version) > lastVersion ? undefined : row),
}

/** Served by the primary keys. */
async function datasetsHere(
  { sql, workspaceId }: WorkspaceSql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasetHere>> {
  const rows = await sql<{ id: string; last_version: number; version: number | null }>`
    SELECT d.id, d.last_version, (
      SELECT max(v.version) FROM dataset_versions v WHERE v.workspace_id = ${workspaceId} AND v.dataset_id = d.id
    ) AS version
    FROM datasets d WHERE d.workspace_id = ${workspaceId} AND d.id IN (${ids})`
  return new Map(
    rows.map(({ id, last_version, version }) => [
      id,
      { lastVersion: last_version, hasVersions: version !== null },
    ]),
  )
}
