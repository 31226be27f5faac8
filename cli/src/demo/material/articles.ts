/** The help centre: its articles, and the questions that people search for. */
import articleData from '../../../../fixtures/demo/articles.json' with { type: 'json' }
import questionData from '../../../../fixtures/demo/questions.json' with { type: 'json' }
import type { Language } from './organizations.ts'

export interface Article {
  readonly id: string
  readonly title: string
  readonly text: string
}

interface Question {
  readonly language: Language
  /** Wordings of the question. */
  readonly phrasings: readonly string[]
  /** The question as a search query. */
  readonly query: string
  /** The articles that answer it. Empty if there are none. */
  readonly articleIds: readonly string[]
  readonly answer: string
}

export const articles: readonly Article[] = articleData
// Safe: a test checks the languages.
export const questions = questionData as readonly Question[]
