import { passesLuhn } from './checksums.ts'
import { type Find, type Hit, isDigit, isWord } from './hit.ts'

const digitsMin = 13
const digitsMax = 19
/** Characters between the groups of a card number. */
const separators = ' -\u00a0'

/** Ranges and lengths of the major issuers: arbitrary digits would pass the Luhn check one time in ten. */
const issuers: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)\d*$/, // Mastercard, 16 digits
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-5]|095|[689])\d{11,16}$/, // Diners Club
  /^(?:6011|64[4-9]|65)\d{12,15}$/, // Discover
  /^35(?:2[89]|[3-8])\d{12,15}$/, // JCB
  /^(?:62|81)\d{14,17}$/, // UnionPay
  /^(?:50|5[6-9]|6)\d{11,17}$/, // Maestro, RuPay, UATP's neighbours
]

/** Whether digits have the length and prefix of a card number, and the right check digit. */
export const isCard = (digits: string): boolean =>
  issuers.some((form, index) => form.test(digits) && (index !== 1 || digits.length === 16)) &&
  passesLuhn(digits)

/** Card numbers, in one group or several. At most 19 digits are examined from each start of a group. */
export const findCards: Find = (text) => {
  const hits: Hit[] = []
  const groups = /\d+/g
  let searchedUntil = 0
  for (let group = groups.exec(text); group !== null; group = groups.exec(text)) {
    if (group.index < searchedUntil || !beginsNumber(text, group.index)) continue
    const end = endOfCard(text, group.index)
    if (end === undefined) continue
    hits.push({ start: group.index, end })
    searchedUntil = end
    groups.lastIndex = end
  }
  return hits
}

/** After a letter or a decimal point, digits are part of something else. */
const beginsNumber = (text: string, start: number): boolean =>
  !isWord(text.charCodeAt(start - 1)) && !(text[start - 1] === '.' && isDigit(text.charCodeAt(start - 2)))

function endOfCard(text: string, start: number): number | undefined {
  let digits = ''
  let longest: number | undefined
  for (let index = start; digits.length < digitsMax + 1; index++) {
    const code = text.charCodeAt(index)
    if (isDigit(code)) {
      digits += text[index]
      continue
    }
    if (digits.length >= digitsMin && digits.length <= digitsMax && !isWord(code) && isCard(digits))
      longest = index
    const continues = separators.includes(text[index] ?? '.') && isDigit(text.charCodeAt(index + 1))
    if (!continues) break
  }
  return longest
}
