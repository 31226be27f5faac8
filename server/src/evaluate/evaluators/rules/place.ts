/** The part of a subject that a rule reads. */
import { invalid } from '@plumbline/contract/errors'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { Config, Verdict } from './judge.ts'
import type { Subject } from './subject.ts'

const parts = ['output', 'input', 'idealOutput', 'metadata'] as const

/** A part, and a path into it such as `choices.0.text`. */
export interface Place {
  readonly part: (typeof parts)[number]
  readonly path: readonly string[]
}

export function readPlace({ of: part = 'output', path = '' }: Config): Place {
  const existing = parts.find((name) => name === part)
  if (existing === undefined) throw invalid('config.of', `must be one of ${parts.join(', ')}`)
  if (typeof path !== 'string') throw invalid('config.path', 'must be a text, such as choices.0.text')
  return { part: existing, path: path === '' ? [] : path.split('.') }
}

/** The value at a place; undefined if there is none. Paths also lead into JSON recorded as text. */
export function valueAt(subject: Subject, { part, path }: Place): unknown {
  let value: unknown = subject[part] ?? undefined
  for (const key of path) {
    if (typeof value === 'string') value = parseOrUndefined(value)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    // Safe: it is an object that has the key.
    value = (value as Record<string, unknown>)[key]
  }
  return value ?? undefined
}

/** The verdict of a rule that finds nothing at its place. */
export const nothingAt = ({ part, path }: Place): Verdict => ({
  value: null,
  comment: `There is nothing at ${[part, ...path].join('.')}.`,
})

/** A value as text: texts as they are, the rest as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Parses a text as JSON; undefined if it is not JSON. */
export function parseOrUndefined(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    // Most texts are not JSON, so this is expected.
    return undefined
  }
}
