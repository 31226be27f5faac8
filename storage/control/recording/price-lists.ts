/** Price lists that operators have installed in addition to the bundled one. */
import type { Sql } from '../store/sql.ts'
import { readNumber, readTime } from '../unreadable-rows.ts'

export type InstalledPriceList = {
  /** A date; a later list takes precedence. */
  version: string
  source: string
  models: number
  installedAt: Date
}

export type NewPriceList = Omit<InstalledPriceList, 'installedAt'> & {
  /** JSON text. */
  readonly content: string
}

type PriceListRow = { version: string; source: string; models: number; installed_at: number }

export type PriceListStore = ReturnType<typeof priceListStore>

export function priceListStore(sql: Sql) {
  return {
    /** All lists, latest version first; there are few. */
    async list(): Promise<InstalledPriceList[]> {
      const rows = await sql<PriceListRow>`
        SELECT version, source, models, installed_at FROM price_lists ORDER BY version DESC`
      return rows.map(toInstalled)
    },
    /** The latest version, and when it was installed; served by the primary key. */
    async latest(): Promise<Pick<InstalledPriceList, 'version' | 'installedAt'> | undefined> {
      const [row] = await sql<Pick<PriceListRow, 'version' | 'installed_at'>>`
        SELECT version, installed_at FROM price_lists ORDER BY version DESC LIMIT 1`
      return row && { version: row.version, installedAt: readTime(row.installed_at, 'installed_at') }
    },
    /** The JSON text of a list, by primary key. */
    async content(version: string): Promise<string | undefined> {
      const [row] = await sql<{ content: string }>`SELECT content FROM price_lists WHERE version = ${version}`
      return row?.content
    },
    /** Installs a list, replacing one with the same version. */
    async install({ version, source, models, content }: NewPriceList, now: Date): Promise<void> {
      await sql`
        INSERT INTO price_lists (version, source, models, content, installed_at)
        VALUES (${version}, ${source}, ${models}, ${content}, ${now.getTime()})
        ON CONFLICT (version) DO UPDATE SET source = excluded.source, models = excluded.models,
          content = excluded.content, installed_at = excluded.installed_at`
    },
  }
}

const toInstalled = ({ version, source, models, installed_at }: PriceListRow): InstalledPriceList => ({
  version,
  source,
  models: readNumber(models, 'models'),
  installedAt: readTime(installed_at, 'installed_at'),
})
