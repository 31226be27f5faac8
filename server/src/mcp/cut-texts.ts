/** A value whose long texts are cut, and its JSON. */
export interface CutTexts {
  readonly value: unknown
  readonly text: string
}

/** Cuts every text of more than `charactersMax` characters, saying how much is missing. */
export function cutTexts(value: unknown, charactersMax: number): CutTexts {
  const shortened = cut(value, charactersMax)
  return { value: shortened, text: JSON.stringify(shortened) }
}

const textCharactersMin = 100

/** Cuts texts to half and half again while the JSON has more characters than `totalMax`, but not to next to nothing. */
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
