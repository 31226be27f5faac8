/** Answers not yet submitted. They are kept in this tab, and survive a reload and the end of a session. */
import { forgetInTab, keepInTab, readInTab } from '../../ui/storage/tab-storage.ts'
import type { Answers } from './answers.ts'

interface UnsentAnswers {
  readonly answers: Answers
  readonly comment: string
}

/** `ownPlace` is that of the session. */
const nameOf = (ownPlace: string, itemId: string): string => `annotation.${ownPlace}/${itemId}`

export function keepAnswers(ownPlace: string, itemId: string, { answers, comment }: UnsentAnswers): void {
  if (comment === '' && Object.keys(answers).length === 0) forgetAnswers(ownPlace, itemId)
  else keepInTab(nameOf(ownPlace, itemId), JSON.stringify({ answers, comment }))
}

export function readAnswers(ownPlace: string, itemId: string): UnsentAnswers {
  const text = readInTab(nameOf(ownPlace, itemId))
  // Safe: only `keepAnswers` writes there.
  return text === undefined ? { answers: {}, comment: '' } : (JSON.parse(text) as UnsentAnswers)
}

export const forgetAnswers = (ownPlace: string, itemId: string): void => forgetInTab(nameOf(ownPlace, itemId))
