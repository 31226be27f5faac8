/** The visible rows of a JSON tree. Pure. */

export interface JsonRow {
  /** As written in code: `messages[0].content`. Empty for the value itself. */
  readonly path: string
  readonly depth: number
  /** The key or the index within its parent. */
  readonly name: string | undefined
  readonly value: unknown
  /** The number of children; undefined for leaves. */
  readonly size: number | undefined
  readonly isOpen: boolean
}

/** Whether the user collapsed or expanded a path; for others the depth decides. */
export type Folds = ReadonlyMap<string, boolean>

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  Array.isArray(value) ? value.map((item, index) => [String(index), item]) : Object.entries(value)

const pathOf = (parent: string, name: string, isIndex: boolean): string => {
  if (isIndex) return `${parent}[${name}]`
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

/** The visible rows: `openDepth` levels are expanded by default. */
export function jsonRows(value: unknown, folds: Folds, openDepth: number): readonly JsonRow[] {
  const rows: JsonRow[] = []
  // An explicit stack, because values may be nested deeper than the call stack allows.
  const waiting: Omit<JsonRow, 'size' | 'isOpen'>[] = [{ path: '', depth: 0, name: undefined, value }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isHolder(next.value)) {
      rows.push({ ...next, size: undefined, isOpen: false })
      continue
    }
    const entries = entriesOf(next.value)
    const isOpen = entries.length > 0 && (folds.get(next.path) ?? next.depth < openDepth)
    rows.push({ ...next, size: entries.length, isOpen })
    if (!isOpen) continue
    const isArray = Array.isArray(next.value)
    for (const [name, child] of entries.toReversed()) {
      waiting.push({ path: pathOf(next.path, name, isArray), depth: next.depth + 1, name, value: child })
    }
  }
  return rows
}

/** The expansion state that shows all matches of a text, and the matching paths in order. */
export function findInJson(
  value: unknown,
  text: string,
): { readonly paths: readonly string[]; readonly folds: Folds } {
  const search = text.toLowerCase()
  const paths: string[] = []
  const folds = new Map<string, boolean>()
  if (search === '') return { paths, folds }
  interface Place {
    readonly path: string
    readonly name: string | undefined
    readonly value: unknown
    readonly parents: readonly string[]
  }
  const waiting: Place[] = [{ path: '', name: undefined, value, parents: [] }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const own = isHolder(next.value) ? '' : String(next.value)
    if (next.name?.toLowerCase().includes(search) || own.toLowerCase().includes(search)) {
      paths.push(next.path)
      for (const parent of next.parents) folds.set(parent, true)
    }
    if (!isHolder(next.value)) continue
    const isArray = Array.isArray(next.value)
    const parents = [...next.parents, next.path]
    for (const [name, child] of entriesOf(next.value).toReversed()) {
      waiting.push({
        path: pathOf(next.path, name, isArray),
        name: isArray ? undefined : name,
        value: child,
        parents,
      })
    }
  }
  return { paths, folds }
}
