/** Pull requests of the company's own developers, with the findings of their reviews. */
import reviewData from '../../../../fixtures/demo/reviews.json' with { type: 'json' }

export interface Review {
  readonly title: string
  readonly description: string
  readonly path: string
  readonly diff: string
  readonly findings: readonly {
    readonly line: number
    readonly severity: string
    readonly text: string
  }[]
}

export const reviews: readonly Review[] = reviewData
