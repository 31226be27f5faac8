/** Rules on the content of a text. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@plumbline/contract/errors'
import { firstMatch } from './guarded-regex.ts'
import { type Config, type Judge, preview } from './judge.ts'
import { nothingAt, readPlace, textOf, valueAt } from './place.ts'
import { readFlag, readText } from './read-config.ts'

export function readEquals(config: Config): Judge {
  const place = readPlace(config)
  const ignoresCase = readFlag(config, 'ignoreCase')
  const fold = (value: unknown): unknown =>
    typeof value === 'string' && ignoresCase ? value.toLowerCase() : value
  return (subject) => {
    const value = valueAt(subject, place)
    const expected = config.value ?? subject.idealOutput ?? undefined
    if (expected === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
    if (value === undefined) return nothingAt(place)
    const isEqual = isDeepStrictEqual(fold(value), fold(expected)) || textOf(value) === textOf(expected)
    return { value: isEqual, comment: isEqual ? 'It is as expected.' : `Expected ${preview(expected)}.` }
  }
}

/** A rule on whether one text occurs in another; `is` and `isNot` word its comment. */
const readOccurrence =
  (occurs: (text: string, reference: string) => boolean, is: string, isNot: string, isExpected = true) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const expected = readText(config, 'value')
    const ignoresCase = readFlag(config, 'ignoreCase')
    const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text)
    return (subject) => {
      const value = valueAt(subject, place)
      if (value === undefined) return nothingAt(place)
      const occursHere = occurs(fold(textOf(value)), fold(expected))
      return {
        value: occursHere === isExpected,
        comment: `It ${occursHere ? is : isNot} ${preview(expected)}.`,
      }
    }
  }

const includes = (text: string, reference: string): boolean => text.includes(reference)
export const readContains = readOccurrence(includes, 'contains', 'does not contain')
export const readNotContains = readOccurrence(includes, 'contains', 'does not contain', false)
export const readStartsWith = readOccurrence(
  (text, reference) => text.startsWith(reference),
  'starts with',
  'does not start with',
)
export const readEndsWith = readOccurrence(
  (text, reference) => text.endsWith(reference),
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
    if (value === undefined) return nothingAt(place)
    const match = firstMatch(pattern, flags, textOf(value))
    return {
      value: match !== null,
      comment: match === null ? 'It does not match.' : `Matched ${preview(match)}.`,
    }
  }
}
