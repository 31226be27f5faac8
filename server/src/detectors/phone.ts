import { findCards } from './card.ts'
import { type Find, type Hit, isDigit, isWord } from './hit.ts'
import { findIbans } from './iban.ts'

const digitsMax = 15

/** North America: three groups, or a group in parentheses. */
const northAmerican =
  /(?<![\w.+-])(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?![\w]|[-.]\d)/g

const date = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/

/** Numbers with a country code, national ones that start with 0 and have a separator, and North American ones. */
export const findPhones: Find = (text) => {
  const hits = findAll(text)
  if (hits.length === 0) return hits
  // Otherwise a match such as `0044 0532` inside an IBAN would leave the rest of it unmasked.
  const others = [...findIbans(text), ...findCards(text)].sort((a, b) => a.start - b.start)
  let next = 0
  return hits.filter(({ start, end }) => {
    while (next < others.length && others[next]!.end <= start) next += 1
    return next === others.length || others[next]!.start >= end
  })
}

const findAll: Find = (text) => {
  const hits: Hit[] = []
  let searchedUntil = 0
  const beginnings = /\+(?=[\d(])|(?<![\w.,:/+-])\(?0(?=\d)/g
  for (let match = beginnings.exec(text); match !== null; match = beginnings.exec(text)) {
    if (match.index < searchedUntil) continue
    const end = endOfNumber(text, match.index)
    if (end === undefined) continue
    hits.push({ start: match.index, end })
    searchedUntil = end
    beginnings.lastIndex = end
  }
  northAmerican.lastIndex = 0
  const others: Hit[] = []
  let next = 0
  for (let match = northAmerican.exec(text); match !== null; match = northAmerican.exec(text)) {
    const hit = { start: match.index, end: match.index + match[0].length }
    while (next < hits.length && hits[next]!.end <= hit.start) next += 1
    if (next === hits.length || hits[next]!.start >= hit.end) others.push(hit)
  }
  return others.length === 0 ? hits : [...hits, ...others].sort((a, b) => a.start - b.start)
}

/** The end of the number that starts here; at most 15 digits and their separators are examined. */
function endOfNumber(text: string, start: number): number | undefined {
  const hasPlus = text[start] === '+'
  if (hasPlus && isWord(text.charCodeAt(start - 1))) return undefined
  let [digits, groups, lastGroup, end] = ['', 1, 0, start]
  for (let index = hasPlus ? start + 1 : start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isDigit(code)) {
      digits += text[index]
      lastGroup += 1
      end = index + 1
      if (digits.length > digitsMax) return undefined
      continue
    }
    const separator = separatorAt(text, index)
    if (separator === 0) break
    if (lastGroup > 0) groups += 1
    lastGroup = 0
    index += separator - 1
  }
  if (isWord(text.charCodeAt(end))) return undefined
  return !date.test(text.slice(start, end)) && isNumber(digits, hasPlus, groups) ? end : undefined
}

/** The number of characters that separate two groups here: at most three, such as ` (0` or `) `. */
function separatorAt(text: string, index: number): number {
  for (let length = 1; length <= 3; length++) {
    if (!' -./()\u00a0'.includes(text[index + length - 1] ?? 'x')) return 0
    if (isDigit(text.charCodeAt(index + length))) return length
  }
  return 0
}

function isNumber(digits: string, hasPlus: boolean, groups: number): boolean {
  if (hasPlus) return digits.length >= 8 && digits[0] !== '0'
  if (digits.startsWith('00')) return digits.length >= 10 && digits[2] !== '0'
  return groups > 1 && digits[1] !== '0' && digits.length >= 9 && digits.length <= 12
}
