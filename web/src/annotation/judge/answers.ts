/** The answers given for an item so far. Pure. */
import type { AnnotationItem, StoredTrace } from '@plumbline/sdk'
import type { HumanEvaluator, Value } from './verdict-choices.ts'

/** By the slug of the evaluator. */
export type Answers = Readonly<Record<string, Value>>

/** Whether every question has an answer. */
export const isComplete = (questions: readonly HumanEvaluator[], answers: Answers): boolean =>
  questions.length > 0 && questions.every(({ slug }) => answers[slug] !== undefined)

/** The next question: the first unanswered one after the last answer, else before it. */
export function nextOpen(
  questions: readonly HumanEvaluator[],
  answers: Answers,
  answeredIndex: number,
): number {
  const open = (index: number): boolean => answers[questions[index]?.slug ?? ''] === undefined
  const order = questions.map((_, index) => (answeredIndex + 1 + index) % questions.length)
  return order.find(open) ?? answeredIndex
}

/** The answers as the service accepts them. */
export const scoresOf = (questions: readonly HumanEvaluator[], answers: Answers) =>
  questions.flatMap(({ slug }) => {
    const value = answers[slug]
    return value === undefined ? [] : [{ evaluatorSlug: slug, value }]
  })

/** A person's earlier answers for an item; if several versions of an evaluator were answered, the latest answer. */
export function answersOf(
  { scores }: Pick<StoredTrace, 'scores'>,
  { logId }: Pick<AnnotationItem, 'logId'>,
): { readonly answers: Answers; readonly comment: string } {
  const own = scores
    .filter((score) => score.isOwn && score.evaluatorSlug !== null && score.logId === logId)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  return {
    answers: Object.fromEntries(own.map(({ evaluatorSlug, value }) => [evaluatorSlug ?? '', value])),
    comment: own.findLast(({ comment }) => comment !== null)?.comment ?? '',
  }
}
