import { ibanLengthOf, isIban } from './checksums.ts'
import { type Find, type Hit, isWord } from './hit.ts'

/** IBANs in upper or lower case, in one group or with a space or hyphen between groups. */
export const findIbans: Find = (text) => {
  const hits: Hit[] = []
  const beginnings = /(?<![a-z\d])[a-z]{2}[ -]?\d{2}/gi
  for (let match = beginnings.exec(text); match !== null; match = beginnings.exec(text)) {
    const end = endOfIban(text, match.index)
    if (end === undefined) continue
    hits.push({ start: match.index, end })
    beginnings.lastIndex = end
  }
  return hits
}

function endOfIban(text: string, start: number): number | undefined {
  const length = ibanLengthOf(text.slice(start, start + 2).toUpperCase())
  if (length === undefined) return undefined
  let signs = ''
  let index = start
  for (; signs.length < length; index++) {
    if (isWord(text.charCodeAt(index))) signs += text[index]
    else if (!isSeparator(text[index]) || !isWord(text.charCodeAt(index + 1))) return undefined
  }
  return !isWord(text.charCodeAt(index)) && isIban(signs.toUpperCase()) ? index : undefined
}

const isSeparator = (sign: string | undefined): boolean => sign === ' ' || sign === '-' || sign === '\u00a0'
