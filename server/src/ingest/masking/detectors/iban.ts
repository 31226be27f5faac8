import { type Find, type Hit, isWord } from '../hit.ts'

/** Length of an IBAN by country, of the registry of SWIFT (ISO 13616). */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Whether letters and digits without spaces are an IBAN: the length of its country, and the remainder 1 of ISO 7064. */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(text) && lengths[text.slice(0, 2)] === text.length && remainder(text) === 1

function remainder(iban: string): number {
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

/** IBANs in capital or small letters, in one group or with a space or hyphen between groups. */
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
  const length = lengths[text.slice(start, start + 2).toUpperCase()]
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
