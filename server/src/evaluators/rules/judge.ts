import type { Subject } from './subject.ts'

/** What an evaluator says; null where there is nothing to judge. */
export interface Judgement {
  readonly value: boolean | number | string | null
  readonly comment: string
}

export type Judge = (subject: Subject) => Judgement

export type Config = Readonly<Record<string, unknown>>

/** How a value begins, for a sentence. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
