/** Rules on what a text says. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@plumbline/contract'
import { firstMatch } from './guarded-regex.ts'
import { type Config, type Judge, shown } from './judge.ts'
import { nothing, readPlace, textOf, valueAt } from './place.ts'
import { readFlag, readText } from './read-config.ts'

export function readEquals(config: Config): Judge {
  const place = readPlace(config)
  const ignoresCase = readFlag(config, 'ignoreCase')
  const folded = (value: unknown): unknown =>
    typeof value === 'string' && ignoresCase ? value.toLowerCase() : value
  return (subject) => {
    const value = valueAt(subject, place)
    const wanted = config.value ?? subject.idealOutput ?? undefined
    if (wanted === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
    if (value === undefined) return nothing(place)
    const isEqual = isDeepStrictEqual(folded(value), folded(wanted)) || textOf(value) === textOf(wanted)
    return { value: isEqual, comment: isEqual ? 'It is what was wanted.' : `Wanted ${shown(wanted)}.` }
  }
}

/** A rule on whether a text stands somewhere in another; `is` and `isNot` say so in a comment. */
const readOccurrence =
  (occurs: (text: string, wanted: string) => boolean, is: string, isNot: string, isWanted = true) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const wanted = readText(config, 'value')
    const ignoresCase = readFlag(config, 'ignoreCase')
    const folded = (text: string): string => (ignoresCase ? text.toLowerCase() : text)
    return (subject) => {
      const value = valueAt(subject, place)
      if (value === undefined) return nothing(place)
      const isThere = occurs(folded(textOf(value)), folded(wanted))
      return { value: isThere === isWanted, comment: `It ${isThere ? is : isNot} ${shown(wanted)}.` }
    }
  }

const includes = (text: string, wanted: string): boolean => text.includes(wanted)
export const readContains = readOccurrence(includes, 'contains', 'does not contain')
export const readNotContains = readOccurrence(includes, 'contains', 'does not contain', false)
export const readStartsWith = readOccurrence(
  (text, wanted) => text.startsWith(wanted),
  'starts with',
  'does not start with',
)
export const readEndsWith = readOccurrence(
  (text, wanted) => text.endsWith(wanted),
  'ends with',
  'does not end with',
)

export function readRegex(config: Config): Judge {
  const place = readPlace(config)
  const pattern = readText(config, 'pattern')
  const flags = config.flags === undefined ? '' : readText(config, 'flags')
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    throw Object.assign(invalid('config.pattern', 'must be a regular expression'), { cause: error })
  }
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothing(place)
    const found = firstMatch(pattern, flags, textOf(value))
    return {
      value: found !== null,
      comment: found === null ? 'It does not match.' : `Matched ${shown(found)}.`,
    }
  }
}
