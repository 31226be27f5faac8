/** Values by the names of the slots: `{order}` in a text becomes the value of `order`. */
export type Slots = Readonly<Record<string, string>>

/** A text with its slots filled. Throws for a slot without a value, which is a mistake in the data. */
export const fill = (text: string, slots: Slots): string =>
  text.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = slots[name]
    if (value === undefined)
      throw new Error(`The demo's text has no value for {${name}}: ${text.slice(0, 80)}`)
    return value
  })

/** Fills the slots of every text inside a value. */
export function fillIn(value: unknown, slots: Slots): unknown {
  if (typeof value === 'string') return fill(value, slots)
  if (Array.isArray(value)) return value.map((item) => fillIn(item, slots))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, slots)]))
}
