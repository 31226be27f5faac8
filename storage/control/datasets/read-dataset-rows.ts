/** Reads the rows of datasets: the current ones, or those of a version. */
import { setImmediate as serveRequests } from 'node:timers/promises'
import { NotFound } from '../errors.ts'
import { beforeAll, type Page, type PageKey, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable } from '../unreadable-rows.ts'
import { type DatasetRow, type RowOfDataset, requireDataset, toDatasetRow } from './dataset-row.ts'

/** Which rows to read; all current ones if empty. */
export type RowSelection = {
  readonly version?: number | undefined
  readonly split?: string | undefined
  readonly label?: string | undefined
  /**
   * Filters in code and so reads every row that the other fields select: SQLite folds the case of ASCII letters only,
   * and JSON text contains escapes and names besides values.
   */
  readonly matches?: ((row: DatasetRow) => boolean) | undefined
}

type RowRange = { readonly after: number; readonly until: number; readonly limit: number }

type Chunk = {
  /** The selected rows with their positions. */
  readonly rows: readonly (readonly [key: PageKey, row: DatasetRow])[]
  /** The key of the last row read. */
  readonly last: PageKey
  readonly readCount: number
  readonly characters: number
}

const rowsPerRead = 1_000
/** Smaller reads: a search reads many rows, and a read of an embedded store blocks all requests. */
const searchRead = { rows: 250, firstRows: 25, characters: 500_000 } as const
/** Limits what one page of a search reads; the next page continues from there. */
const searchPage = { rows: 20_000, characters: 50_000_000 } as const

/** Later than any version: the current rows. */
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
  for await (const { rows } of chunks(db, dataset.id, selection, { after: 0, until }))
    for (const [, row] of rows) yield row
}

/** The rows of a selection in insertion order, by primary key. Requests are served between two chunks. */
async function* chunks(
  db: WorkspaceDb,
  datasetId: string,
  selection: RowSelection,
  { after: start, until }: Omit<RowRange, 'limit'>,
): AsyncGenerator<Chunk, void> {
  const { matches = () => true } = selection
  let limit = selection.matches === undefined ? rowsPerRead : searchRead.firstRows
  for (let after = start; after < until; ) {
    const page = await readPage(db, datasetId, selection, { after, until, limit })
    const last = page.at(-1)
    if (last === undefined) return
    after = last.position
    const rows = readable('dataset_rows', page, (row) => [keyOf(row), toDatasetRow(row)] as const)
    const [readCount, characters] = [page.length, countCharacters(page)]
    yield { rows: rows.filter(([, row]) => matches(row)), last: keyOf(last), readCount, characters }
    if (selection.matches !== undefined) limit = rowsOfNextRead(readCount, characters)
    await serveRequests()
  }
}

const countCharacters = (page: readonly RowOfDataset[]): number =>
  page.reduce(
    (sum, { row_values, ideal_output, metadata }) =>
      sum + row_values.length + (ideal_output?.length ?? 0) + (metadata?.length ?? 0),
    0,
  )

/** How many rows fit into one read, if they are about as large as the last ones. */
const rowsOfNextRead = (readCount: number, characters: number): number =>
  Math.min(
    searchRead.rows,
    Math.max(1, Math.floor((readCount * searchRead.characters) / Math.max(1, characters))),
  )

const keyOf = ({ position, id }: RowOfDataset): PageKey => ({ position, id })

/** A page of rows in insertion order; by primary key. A page of a search may have fewer rows than its limit, or none. */
export async function list(
  db: WorkspaceDb,
  {
    slug,
    limit = 2 ** 31,
    after = beforeAll,
    ...selection
  }: PageRequest & RowSelection & { readonly slug: string },
): Promise<Page<DatasetRow>> {
  const datasetId = await requireDataset(db, slug)
  const range = { after: after.position, until: Number.MAX_SAFE_INTEGER }
  if (selection.matches !== undefined) return search(db, datasetId, selection, { ...range, limit })
  const matches = await readPage(db, datasetId, selection, { ...range, limit: rowsToRead(limit) })
  const { rows, ...page } = pageOf(matches, limit, keyOf)
  return { items: readable('dataset_rows', rows, toDatasetRow), ...page }
}

async function search(
  db: WorkspaceDb,
  datasetId: string,
  selection: RowSelection,
  { limit, ...range }: RowRange,
): Promise<Page<DatasetRow>> {
  const matches: Chunk['rows'][number][] = []
  let readCount = 0
  let characters = 0
  for await (const chunk of chunks(db, datasetId, selection, range)) {
    matches.push(...chunk.rows)
    readCount += chunk.readCount
    characters += chunk.characters
    const items = matches.slice(0, limit).map(([, row]) => row)
    if (matches.length > limit) return { items, next: matches[limit - 1]![0] }
    if (readCount >= searchPage.rows || characters >= searchPage.characters)
      return { items, next: chunk.last }
  }
  return { items: matches.map(([, row]) => row) }
}

/**
 * Labels are quoted in a row's list, and no label contains a quotation mark. LIKE is not used, since it ignores case on
 * SQLite.
 */
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

export type RowFacets = {
  /** The number of selected rows. */
  readonly rowCount: number
  readonly splits: readonly Facet[]
  readonly labels: readonly Facet[]
}

type RowGroup = { split: string | null; labels: readonly string[]; count: number }

/** Splits and labels of the rows that a selection reads, most rows first; reads every row of the dataset. */
export async function facets(
  db: WorkspaceDb,
  slug: string,
  selection: RowSelection = {},
): Promise<RowFacets> {
  const datasetId = await requireDataset(db, slug)
  const groups =
    selection.matches === undefined
      ? await groupRows(db, datasetId, selection)
      : await groupMatches(db, datasetId, selection)
  const splits = new Map<string, number>()
  const labels = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string, count: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + count)
  let rowCount = 0
  for (const group of groups) {
    rowCount += group.count
    if (group.split !== null) add(splits, group.split, group.count)
    for (const name of group.labels) add(labels, name, group.count)
  }
  const sortFacets = (counts: Map<string, number>): Facet[] =>
    [...counts]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return { rowCount, splits: sortFacets(splits), labels: sortFacets(labels) }
}

async function groupRows(
  { sql, workspaceId }: WorkspaceDb,
  datasetId: string,
  { version = current, split, label }: RowSelection,
): Promise<RowGroup[]> {
  const [splitOrNull, labelOrNull] = [split ?? null, label ?? null]
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
  // Safe: only lists of names are written to this column.
  return groups.map((group) => ({ ...group, labels: JSON.parse(group.labels ?? '[]') as string[] }))
}

async function groupMatches(
  db: WorkspaceDb,
  datasetId: string,
  selection: RowSelection,
): Promise<RowGroup[]> {
  const groups = new Map<string, RowGroup>()
  const range = { after: beforeAll.position, until: Number.MAX_SAFE_INTEGER }
  for await (const { rows } of chunks(db, datasetId, selection, range))
    for (const [, { split = null, labels }] of rows) {
      const name = JSON.stringify([split, labels])
      const group = groups.get(name)
      if (group === undefined) groups.set(name, { split, labels, count: 1 })
      else group.count += 1
    }
  return [...groups.values()]
}
