/** Checksums of card numbers and IBANs. */

/** The check digit of card numbers (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30
    const value = index % 2 === 0 ? digit : digit * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** The length of an IBAN by country (SWIFT, IBAN Registry). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
  FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
  LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
  RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export const ibanLengthOf = (country: string): number | undefined => ibanLengths.get(country)

/** Whether capital letters and digits without spaces are an IBAN: the length of its country, and the remainder 1 of ISO 7064. */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d]+$/.test(text) &&
  ibanLengthOf(text.slice(0, 2)) === text.length &&
  remainder(text) === 1

function remainder(iban: string): number {
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
