import { isIPv6 } from 'node:net'
import { type Find, findMatches, type Hit } from './hit.ts'

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const version4 = new RegExp(
  `(?<![\\w.])${octet}\\.${octet}\\.${octet}\\.${octet}(?![A-Za-z\\d_]|\\.\\d)`,
  'g',
)
/** Matches a whole run of characters, so that no match starts inside another. */
const version6Run = /(?<![\w:.])[\da-f:][\da-f:.]+(?![\w])/gi
const version6LengthMax = 45

/** IPv4 and IPv6 addresses. */
export const findIps: Find = (text) => {
  const hits = text.includes(':') ? findVersion6(text) : []
  if (!text.includes('.')) return hits
  const others = findMatches(text, version4).filter(
    ({ start, end }) => !hits.some((hit) => hit.start < end && start < hit.end),
  )
  return hits.length === 0 ? others : [...hits, ...others].sort((a, b) => a.start - b.start)
}

function findVersion6(text: string): readonly Hit[] {
  return findMatches(
    text,
    version6Run,
    (run) => run.length <= version6LengthMax + 1 && isAddress(trim(run)),
  ).map(({ start, end }) => ({ start, end: start + trim(text.slice(start, end)).length }))
}

/** A colon or full stop may follow an address in a sentence. */
const trim = (run: string): string => run.replace(/(?<=[^:]):$|\.$/, '')

/** `a::b` and `::` are valid addresses too, but are more often code. */
const isAddress = (run: string): boolean => isIPv6(run) && /\d/.test(run)
