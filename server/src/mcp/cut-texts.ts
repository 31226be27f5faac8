/** A value with shortened texts, and its JSON. */
export interface CutTexts {
  readonly value: unknown
  readonly text: string
}

/** Cuts every text of more than `charactersMax` characters, and notes how much is missing. */
export function cutTexts(value: unknown, charactersMax: number): CutTexts {
  const shortened = cut(value, charactersMax)
  return { value: shortened, text: JSON.stringify(shortened) }
}

const textCharactersMin = 100

/** Halves the length of texts repeatedly while the JSON exceeds `totalMax` characters, down to a minimum length. */
export function fitTexts(value: unknown, charactersMax: number, totalMax: number): CutTexts {
  const result = cutTexts(value, charactersMax)
  if (result.text.length <= totalMax || charactersMax / 2 < textCharactersMin) return result
  return fitTexts(value, Math.floor(charactersMax / 2), totalMax)
}

function cut(value: unknown, charactersMax: number): unknown {
  if (typeof value === 'string') {
    return value.length <= charactersMax
      ? value
      : `${value.slice(0, charactersMax).toWellFormed()}… [${value.length - charactersMax} more characters]`
  }
  if (Array.isArray(value)) return value.map((item) => cut(item, charactersMax))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cut(field, charactersMax)]))
}
