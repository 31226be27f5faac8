/** The items of one page, and where the next one begins. */
export interface ReadPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string | undefined
}

interface ReadAllOptions {
  /** Stops after the page in which this number is reached. */
  readonly max?: number
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

/** Reads a paginated list to its end, or until `max` items are read. Rejects once the signal aborts. */
export async function readAll<Item>(
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<ReadPage<Item>>,
  { max = Number.POSITIVE_INFINITY, signal, onProgress }: ReadAllOptions,
): Promise<{ readonly items: readonly Item[]; readonly isWhole: boolean }> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(cursor, signal)
    signal.throwIfAborted()
    items.push(...page.items)
    cursor = page.nextCursor
    onProgress(Math.min(items.length, max))
  } while (cursor !== undefined && items.length < max)
  return { items: items.slice(0, max), isWhole: cursor === undefined && items.length <= max }
}
