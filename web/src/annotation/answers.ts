/** What somebody has said of an item so far. Pure. */
import type { Judged, Value } from './verdict-choices.ts'

/** By the slug of the evaluator. */
export type Answers = Readonly<Record<string, Value>>

/** Whether there is an answer by each. */
export const isComplete = (judged: readonly Judged[], answers: Answers): boolean =>
  judged.length > 0 && judged.every(({ slug }) => answers[slug] !== undefined)

/** Which is to be answered next: the first without an answer after the one just answered, else before it. */
export function nextOpen(judged: readonly Judged[], answers: Answers, answered: number): number {
  const open = (index: number): boolean => answers[judged[index]?.slug ?? ''] === undefined
  const order = judged.map((_, index) => (answered + 1 + index) % judged.length)
  return order.find(open) ?? answered
}

/** The answers as the service takes them. */
export const scoresOf = (judged: readonly Judged[], answers: Answers) =>
  judged.flatMap(({ slug }) => {
    const value = answers[slug]
    return value === undefined ? [] : [{ evaluatorSlug: slug, value }]
  })
