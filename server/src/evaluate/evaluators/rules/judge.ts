import type { Subject } from './subject.ts'

/** The decision of an evaluator; the value is null if there is nothing to judge. */
export interface Verdict {
  readonly value: boolean | number | string | null
  readonly comment: string
}

export type Judge = (subject: Subject) => Verdict

export type Config = Readonly<Record<string, unknown>>

/** The beginning of a value, for use in a sentence. */
export const preview = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
