/** The answers about an item so far. Pure. */
import type { Judged, Value } from './verdict-choices.ts'

/** By the slug of the evaluator. */
export type Answers = Readonly<Record<string, Value>>

/** Whether every question has an answer. */
export const isComplete = (judged: readonly Judged[], answers: Answers): boolean =>
  judged.length > 0 && judged.every(({ slug }) => answers[slug] !== undefined)

/** The next question: the first unanswered one after the last answer, else before it. */
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
