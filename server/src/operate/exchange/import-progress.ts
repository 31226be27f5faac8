import { importRefusalsMax, invalid } from '@plumbline/contract'
import { bundledTables } from '@plumbline/storage/control'

type Fields = Readonly<Record<string, unknown>>

/** What an import has accepted and refused so far, as far as later rows depend on it. */
export class ImportProgress {
  refusedCount = 0
  readonly refusedRows: { line: number; table: string; reason: string }[] = []
  /** Rows that others refer to, by table, and by slug or id in the bundle. */
  readonly #taken = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #datasetIds = new Set<string>()
  readonly #promptIds = new Set<string>()

  /** Records a refused line; rows that depend on it will be refused too. */
  refuse(line: number, table: string, reason: string, row: Fields = {}): void {
    this.refusedCount += 1
    if (this.refusedRows.length < importRefusalsMax) this.refusedRows.push({ line, table, reason })
    const name = nameOf(table, row)
    if (name === undefined) return
    this.#refused.add(name)
    this.#taken.delete(name)
  }

  addTaken(table: string, row: Fields): void {
    const name = nameOf(table, row)
    if (name !== undefined) {
      this.#taken.add(name)
      this.#refused.delete(name)
    }
    if (table === 'dataset_rows') this.#datasetIds.add(String(row.dataset_id))
    if (table === 'datasets') this.#datasetIds.add(String(row.id))
    if (table === 'prompt_versions') this.#promptIds.add(String(row.prompt_id))
  }

  hasTaken({ table, name }: { readonly table: string; readonly name: string }): boolean {
    return this.#taken.has(key(table, name))
  }

  /** Throws for a row that refers to a refused one. */
  checkParents(table: string, row: Fields): void {
    for (const { column, table: parent } of bundledTables[table]!.parents)
      if (this.#refused.has(key(parent, String(row[column]))))
        throw invalid(`row.${column}`, `refers to a row of ${parent} that was rejected`)
  }

  /** Datasets and prompts whose counts must be updated. */
  parents(): { datasetIds: string[]; promptIds: string[] } {
    return { datasetIds: [...this.#datasetIds], promptIds: [...this.#promptIds] }
  }
}

/** Tables whose rows others refer to. */
const parents = new Map(
  Object.values(bundledTables).flatMap(({ parents }) =>
    parents.map(({ table, parentKey }) => [table, parentKey] as const),
  ),
)

const key = (table: string, name: string): string => `${table}\n${name}`

function nameOf(table: string, row: Fields): string | undefined {
  const parentKey = parents.get(table)
  return parentKey === undefined ? undefined : key(table, String(row[parentKey]))
}
