/** The help centre: its articles, and the questions that people search it with. */
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
  /** Ways to ask it. */
  readonly phrasings: readonly string[]
  /** The question as a search query. */
  readonly query: string
  /** The articles that answer it. Empty where no article does. */
  readonly articleIds: readonly string[]
  readonly answer: string
}

export const articles: readonly Article[] = articleData
// Safe: a test checks the languages.
export const questions = questionData as readonly Question[]
