/** Reads the rows of datasets: those of now, or those of a version. */
import { NotFound } from '../errors.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable } from '../unreadable-rows.ts'
import { type DatasetRow, type RowOfDataset, requireDataset, toDatasetRow } from './dataset-row.ts'

/** Which rows to read; all of now when empty. */
export type RowSelection = {
  readonly version?: number | undefined
  readonly split?: string | undefined
  readonly label?: string | undefined
}

type RowRange = { readonly after: number; readonly until: number; readonly limit: number }

const rowsPerRead = 1_000

/** Later than any version: the rows as they are. */
const current = Number.MAX_SAFE_INTEGER

/** The rows that exist when reading starts, in insertion order, one chunk in memory at a time; by primary key. */
export async function* stream(
  db: WorkspaceDb,
  slug: string,
  selection: RowSelection = {},
): AsyncGenerator<DatasetRow, void> {
  const { sql, workspaceId } = db
  const [dataset] = await sql<{ id: string; last_position: number }>`
    SELECT id, last_position FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  const until = dataset.last_position
  for (let after = 0; after < until; ) {
    const rows = await readPage(db, dataset.id, selection, { after, until, limit: rowsPerRead })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
    yield* readable('dataset_rows', rows, toDatasetRow)
  }
}

/** A page of rows in insertion order; by primary key. */
export async function list(
  db: WorkspaceDb,
  { slug, limit, after = beforeAll, ...selection }: PageRequest & RowSelection & { readonly slug: string },
): Promise<Page<DatasetRow>> {
  const datasetId = await requireDataset(db, slug)
  const range = { after: after.position, until: Number.MAX_SAFE_INTEGER, limit: rowsToRead(limit) }
  const matches = await readPage(db, datasetId, selection, range)
  const { rows, ...page } = pageOf(matches, limit, ({ position, id }) => ({ position, id }))
  return { items: readable('dataset_rows', rows, toDatasetRow), ...page }
}

/** A label is quoted in the list of a row, and no label has a quotation mark. LIKE ignores case on SQLite. */
const quoteLabel = (label: string | undefined): string => JSON.stringify(label ?? '')

function readPage(
  { sql, workspaceId }: WorkspaceDb,
  datasetId: string,
  selection: RowSelection,
  { after, until, limit }: RowRange,
): Promise<RowOfDataset[]> {
  const { version, label } = selection
  const [split, labelOrNull] = [selection.split ?? null, label ?? null]
  if (version === undefined)
    return sql<RowOfDataset>`
      SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position > ${after} AND position <= ${until}
        AND (CAST(${split} AS text) IS NULL OR split = ${split})
        AND (CAST(${labelOrNull} AS text) IS NULL OR replace(labels, ${quoteLabel(label)}, '') <> labels)
      ORDER BY position LIMIT ${limit}`
  return sql<RowOfDataset>`
    SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM (
      SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${version}
        AND position > ${after} AND position <= ${until}
      UNION ALL
      SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_row_history
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${version}
        AND until_version >= ${version} AND position > ${after} AND position <= ${until}
    ) AS rows_of_version
    WHERE (CAST(${split} AS text) IS NULL OR split = ${split})
      AND (CAST(${labelOrNull} AS text) IS NULL OR replace(labels, ${quoteLabel(label)}, '') <> labels)
    ORDER BY position LIMIT ${limit}`
}

/** A row by its id alone, with the slug of its dataset; by dataset_rows_of_workspace. */
export async function findAnywhere(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<(DatasetRow & { slug: string }) | undefined> {
  const [row] = await sql<RowOfDataset & { slug: string }>`
    SELECT r.id, r.position, r.name, r.row_values, r.ideal_output, r.metadata, r.split, r.labels, r.created_at, d.slug
    FROM dataset_rows r JOIN datasets d ON d.id = r.dataset_id
    WHERE r.workspace_id = ${workspaceId} AND r.id = ${id} AND d.workspace_id = ${workspaceId}`
  return readable('dataset_rows', row === undefined ? [] : [row], (each) => ({
    ...toDatasetRow(each),
    slug: each.slug,
  }))[0]
}

type Facet = { name: string; count: number }

/** Splits and labels of the rows that a selection reads, most rows first; reads every row of the dataset. */
export async function facets(
  db: WorkspaceDb,
  slug: string,
  { version = current, split, label }: RowSelection = {},
): Promise<{ splits: readonly Facet[]; labels: readonly Facet[] }> {
  const datasetId = await requireDataset(db, slug)
  const [splitOrNull, labelOrNull] = [split ?? null, label ?? null]
  const { sql, workspaceId } = db
  const groups = await sql<{ split: string | null; labels: string | null; count: number }>`
    SELECT split, labels, count(*) AS count FROM (
      SELECT split, labels FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${version}
      UNION ALL
      SELECT split, labels FROM dataset_row_history
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${version}
        AND until_version >= ${version}
    ) AS rows_of_version
    WHERE (CAST(${splitOrNull} AS text) IS NULL OR split = ${splitOrNull})
      AND (CAST(${labelOrNull} AS text) IS NULL OR replace(labels, ${quoteLabel(label)}, '') <> labels)
    GROUP BY split, labels`
  const splits = new Map<string, number>()
  const labels = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string, count: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + count)
  for (const group of groups) {
    if (group.split !== null) add(splits, group.split, group.count)
    // Safe: only lists of names are written to this column.
    for (const name of JSON.parse(group.labels ?? '[]') as string[]) add(labels, name, group.count)
  }
  const sortFacets = (counts: Map<string, number>): Facet[] =>
    [...counts]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return { splits: sortFacets(splits), labels: sortFacets(labels) }
}
