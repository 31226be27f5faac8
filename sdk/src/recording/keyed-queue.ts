/** Orders items with the same subject: each becomes ready when the one before it has finished. */
export class KeyedQueue<Item extends { readonly subject: string | undefined }> {
  /** The last unfinished item of each subject. */
  readonly #last = new Map<string, Item>()
  /** Waiting items, by the item that each one waits for. */
  readonly #next = new Map<Item, Item>()

  /** How many items are waiting. */
  get waitingCount(): number {
    return this.#next.size
  }

  /** Adds an item; returns whether it is ready. An item without a subject is always ready. */
  add(item: Item): boolean {
    if (item.subject === undefined) return true
    const previous = this.#last.get(item.subject)
    this.#last.set(item.subject, item)
    if (previous === undefined) return true
    this.#next.set(previous, item)
    return false
  }

  /** Finishes an item, successfully or not; returns the item that becomes ready. */
  finish(item: Item): Item | undefined {
    if (item.subject === undefined) return undefined
    if (this.#last.get(item.subject) === item) this.#last.delete(item.subject)
    const next = this.#next.get(item)
    this.#next.delete(item)
    return next
  }

  /** Removes all items; returns those that were waiting. */
  clear(): Item[] {
    const waiting = [...this.#next.values()]
    this.#last.clear()
    this.#next.clear()
    return waiting
  }
}
