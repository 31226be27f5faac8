/** How far the people agree who judge the same traces and logs. */
import { type Static, Type } from 'typebox'
import { NamedObject, Nullable } from '../interface/shapes.ts'

export const Annotator = NamedObject('Annotator', 'Who judges.', {
  id: Type.String({ description: 'Id of the person, or of the API key.' }),
  name: Type.String({ description: 'The name at that time.' }),
  isYou: Type.Boolean(),
})
export type Annotator = Static<typeof Annotator>

export const Share = NamedObject('Share', 'A fraction with its confidence interval.', {
  count: Type.Integer({ description: 'Number of cases.' }),
  share: Nullable(Type.Number({ description: 'From 0 to 1; null without cases.' })),
  low: Nullable(Type.Number({ description: "Lower end of Wilson's 95 % interval." })),
  high: Nullable(Type.Number({ description: 'Upper end of it.' })),
})
export type Share = Static<typeof Share>

const Kappa = Nullable(
  Type.Number({
    description:
      "Cohen's kappa: 1 for full agreement, 0 for agreement by chance; numbers are weighted by the squares of their differences. Null if chance alone would make them agree.",
  }),
)

export const AnnotatorAgreement = NamedObject(
  'AnnotatorAgreement',
  'How far the people who judged by one evaluator agree. `agreed` is of all pairs of scores of one item, with the interval of so many items, not of so many pairs.',
  {
    evaluatorSlug: Type.String(),
    items: Type.Integer({ description: 'Items that two or more people have judged.' }),
    agreed: Share,
    kappa: Nullable(Type.Number({ description: 'The mean kappa of all pairs, weighted by their items.' })),
    alpha: Nullable(
      Type.Number({
        description:
          "Krippendorff's alpha over all scores, for any number of people: nominal, or interval for numbers.",
      }),
    ),
    pairs: Type.Array(
      Type.Object({
        annotators: Type.Array(Annotator, { minItems: 2, maxItems: 2 }),
        agreed: Share,
        kappa: Kappa,
      }),
      { description: 'Pairs of people who have judged the same items, those with most items first.' },
    ),
  },
)
export type AnnotatorAgreement = Static<typeof AnnotatorAgreement>
