/** The same value with every text of more than `charactersMax` characters cut, saying how much is missing. */
export function cutTexts(value: unknown, charactersMax: number): unknown {
  if (typeof value === 'string') {
    return value.length <= charactersMax
      ? value
      : `${value.slice(0, charactersMax).toWellFormed()}… [${value.length - charactersMax} more characters]`
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, charactersMax))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, cutTexts(field, charactersMax)]),
  )
}
