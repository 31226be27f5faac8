/** How well people agree when they judge the same traces and logs. */
import { type Static, Type } from 'typebox'
import { NamedObject, Nullable } from '../interface/shapes.ts'

export const Annotator = NamedObject('Annotator', 'A person or API key that judges.', {
  id: Type.String({ description: 'Id of the person, or of the API key.' }),
  name: Type.String({ description: 'Name at that time.' }),
  isYou: Type.Boolean(),
})
export type Annotator = Static<typeof Annotator>

export const Share = NamedObject('Share', 'A fraction with its confidence interval.', {
  count: Type.Integer({ description: 'Number of cases.' }),
  share: Nullable(Type.Number({ description: 'From 0 to 1; null without cases.' })),
  low: Nullable(Type.Number({ description: "Lower end of Wilson's 95 % interval." })),
  high: Nullable(Type.Number({ description: 'Upper end of that interval.' })),
})
export type Share = Static<typeof Share>

const Kappa = Nullable(
  Type.Number({
    description:
      "Cohen's kappa: 1 for full agreement, 0 for chance agreement; numbers are weighted by their squared differences. Null if agreement by chance would be certain.",
  }),
)

export const AnnotatorAgreement = NamedObject(
  'AnnotatorAgreement',
  'How well the people who judged by one evaluator agree. `agreed` is the fraction of equal pairs among all pairs of scores for the same item; its interval is based on the number of items, not of pairs.',
  {
    evaluatorSlug: Type.String(),
    items: Type.Integer({ description: 'Items that two or more people have judged.' }),
    agreed: Share,
    kappa: Nullable(
      Type.Number({ description: 'Mean kappa of all pairs of people, weighted by their items.' }),
    ),
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
      { description: 'Pairs of people who have judged the same items, those with the most items first.' },
    ),
  },
)
export type AnnotatorAgreement = Static<typeof AnnotatorAgreement>
