/** The order among records that concern the same thing: each has its turn when the one before it has ended. */
export class Turns<Item extends { readonly subject: string | undefined }> {
  /** The last one taken of each subject, while it has not ended. */
  readonly #last = new Map<string, Item>()
  /** Those that wait, each by the one that it waits for. */
  readonly #next = new Map<Item, Item>()

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#next.size
  }

  /** Takes an item; answers whether it is its turn already. One without a subject waits for nobody. */
  take(item: Item): boolean {
    if (item.subject === undefined) return true
    const before = this.#last.get(item.subject)
    this.#last.set(item.subject, item)
    if (before === undefined) return true
    this.#next.set(before, item)
    return false
  }

  /** Ends an item's turn, however it went; answers the one whose turn it is then. */
  end(item: Item): Item | undefined {
    if (item.subject === undefined) return undefined
    if (this.#last.get(item.subject) === item) this.#last.delete(item.subject)
    const next = this.#next.get(item)
    this.#next.delete(item)
    return next
  }

  /** Forgets all of them; answers those that waited. */
  clear(): Item[] {
    const waited = [...this.#next.values()]
    this.#last.clear()
    this.#next.clear()
    return waited
  }
}
