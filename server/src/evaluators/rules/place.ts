/** Where rules look, and how what is there reads. */
import { invalid } from '@plumbline/contract'
import type { Config, Judgement } from './judge.ts'
import type { Subject } from './subject.ts'

const parts = ['output', 'input', 'idealOutput', 'metadata'] as const

/** A part, and the way into it, such as `choices.0.text`. */
export interface Place {
  readonly of: (typeof parts)[number]
  readonly path: readonly string[]
}

export function readPlace({ of = 'output', path = '' }: Config): Place {
  const part = parts.find((name) => name === of)
  if (part === undefined) throw invalid('config.of', `must be one of ${parts.join(', ')}`)
  if (typeof path !== 'string') throw invalid('config.path', 'must be a text, such as choices.0.text')
  return { of: part, path: path === '' ? [] : path.split('.') }
}

/** What is at a place; undefined where nothing is. JSON that came as a text is looked into. */
export function valueAt(subject: Subject, { of, path }: Place): unknown {
  let value: unknown = subject[of] ?? undefined
  for (const key of path) {
    if (typeof value === 'string') value = parsed(value)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    // Safe: it is an object that has the key.
    value = (value as Record<string, unknown>)[key]
  }
  return value ?? undefined
}

/** What a rule says where nothing is at its place. */
export const nothing = ({ of, path }: Place): Judgement => ({
  value: null,
  comment: `There is nothing at ${[of, ...path].join('.')}.`,
})

/** A value as text: texts as they are, the rest as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The JSON that a text holds; undefined where it holds none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most texts are no JSON, which is an answer and not a failure.
    return undefined
  }
}
