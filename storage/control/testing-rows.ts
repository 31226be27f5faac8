/** Reads the control store directly, bypassing the service, on either engine. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { ControlStoreLocation } from './store/open.ts'

type Row = Readonly<Record<string, unknown>>

/** How many rows of each table contain a matching text, leaving out tables without any. */
export async function rowsOfControl(
  location: ControlStoreLocation,
  matches: (text: string) => boolean,
): Promise<Record<string, number>> {
  const tables = 'file' in location ? tablesOfFile(location.file) : await tablesOfDatabase(location.url)
  const counts = tables.map(
    ([name, rows]) => [name, rows.filter((row) => matches(textOf(row))).length] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function tablesOfFile(file: string): [string, Row[]][] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM "${String(name)}"`).all()])
  } finally {
    database.close()
  }
}

async function tablesOfDatabase(url: string): Promise<[string, Row[]][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    )
    const tables: [string, Row[]][] = []
    for (const { name } of rows)
      tables.push([name, (await client.query<Row>(`SELECT * FROM "${name}"`)).rows])
    return tables
  } finally {
    await client.end()
  }
}

const textOf = (row: Row): string =>
  Object.values(row)
    .map((value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    })
    .join('\n')
