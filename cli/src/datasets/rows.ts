/** `plumbline datasets rows` and `datasets versions`: the current and earlier contents of a dataset. */
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import { type RowSelection, selectionOf } from './selection.ts'

export interface RowsOptions extends RowSelection {
  readonly limit?: number
}

const cellCharacters = 60
const rowsPerPage = 1000

export async function listRows(
  { client, print, tell }: Session,
  slug: string,
  options: RowsOptions,
): Promise<void> {
  const { limit = 100 } = options
  const selection = selectionOf(options)
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await client.datasets.rows({
      slug,
      ...selection,
      limit: Math.min(rowsPerPage, limit - rows.length),
      ...(cursor === undefined ? {} : { cursor }),
    })
    rows.push(...page.rows)
    cursor = page.nextCursor
  } while (cursor !== undefined && rows.length < limit)
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const lines = rows.map((row) => [
    row.id,
    ...columns.map((column) => shorten(textOf(row.values[column]))),
    shorten(row.idealOutput ?? ''),
    row.split ?? '',
    row.labels?.join(', ') ?? '',
  ])
  print(rows, table(['id', ...columns, 'idealOutput', 'split', 'labels'], lines))
  if (cursor !== undefined) tell(`These are the first ${rows.length} rows; --limit shows more.`)
}

type Row = Awaited<ReturnType<Session['client']['datasets']['rows']>>['rows'][number]

export async function listVersions({ client, print }: Session, slug: string): Promise<void> {
  const versions: Version[] = []
  let cursor: string | undefined
  do {
    const page = await client.datasetVersions.list({ slug, ...(cursor === undefined ? {} : { cursor }) })
    versions.push(...page.versions)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const lines = versions.map(({ version, rowCount, createdAt, note }) => [
    String(version),
    String(rowCount),
    createdAt,
    note,
  ])
  print(versions, table(['version', 'rows', 'made', 'note'], lines))
}

type Version = Awaited<ReturnType<Session['client']['datasetVersions']['list']>>['versions'][number]

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const shorten = (text: string): string =>
  text.length > cellCharacters ? `${text.slice(0, cellCharacters)}…` : text
