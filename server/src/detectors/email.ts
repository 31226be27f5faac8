import type { Find, Hit } from './hit.ts'

/** Longer than the local parts and domains that mail servers accept. */
const localLengthMax = 256
const domainLengthMax = 255

/** Of the valid characters, `=?&/` and the like are left out: they precede addresses in URLs. */
const localPart = /[\p{L}\p{N}.'+%_~-]/u
const domainPart = /[\p{L}\p{N}.-]/u
const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z\d-]*[a-z\d])/iu

/** Email addresses, also with `@` written as `%40`. Around each `@`, a bounded number of characters is examined. */
export const findEmails: Find = (text) => {
  const hits: Hit[] = []
  const signs = /@|%40/g
  let searchedUntil = 0
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const start = startOfLocal(text, sign.index, searchedUntil)
    const end = start === sign.index ? undefined : endOfDomain(text, signs.lastIndex)
    if (end === undefined) continue
    hits.push({ start, end })
    searchedUntil = end
    signs.lastIndex = end
  }
  return hits
}

function startOfLocal(text: string, signAt: number, offset: number): number {
  const least = Math.max(offset, signAt - localLengthMax)
  let start = signAt
  while (start > least && localPart.test(text[start - 1] as string)) start -= 1
  // A quote, a dash or a dot before an address is not part of it.
  while (start < signAt && /[.'~-]/.test(text[start] as string)) start += 1
  return start
}

function endOfDomain(text: string, offset: number): number | undefined {
  const most = Math.min(text.length, offset + domainLengthMax)
  let end = offset
  while (end < most && domainPart.test(text[end] as string)) end += 1
  const match = domain.exec(text.slice(offset, end))
  return match === null ? undefined : offset + match[0].length
}
