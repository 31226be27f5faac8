/** How well an evaluator agrees with people. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Cursor, Limit, NamedObject, NextCursor, Nullable, type Timestamp } from '../interface/shapes.ts'
import { Share } from './annotator-agreement.ts'
import { Score } from './scores.ts'

const Value = Score.properties.value

const fields = {
  agreed: Share,
  undecided: Type.Integer({ description: 'Cases without a majority, which are left out.' }),
  kappa: Nullable(
    Type.Number({
      description:
        "Cohen's kappa: 1 for full agreement, 0 for chance agreement; numbers are weighted by their squared differences. Null if agreement by chance would be certain, and for numbers with more than 50 values.",
    }),
  ),
  meanDifference: Nullable(Type.Number({ description: 'For numbers: the mean absolute difference.' })),
  pearson: Nullable(Type.Number({ description: "For numbers: Pearson's correlation." })),
  spearman: Nullable(Type.Number({ description: "For numbers: Spearman's rank correlation." })),
}

export const JudgeAgreement = NamedObject(
  'JudgeAgreement',
  'How well an evaluator agrees with people, over the cases that both have judged.',
  {
    ...fields,
    type: Type.Enum(['boolean', 'numeric', 'categorical'], { description: 'Type of the verdicts.' }),
    categories: Type.Array(Value, {
      description:
        'Labels of the rows and columns of the matrix; empty for numbers with more than 12 values, and texts with more than 100.',
    }),
    matrix: Type.Array(Type.Array(Type.Integer()), {
      description: 'Counts of cases by the verdict of the evaluator (row) and of people (column).',
    }),
    versions: Type.Array(Type.Object({ version: Nullable(Type.Integer()), ...fields }), {
      description: 'The same for each version of the evaluator, the latest first.',
    }),
  },
)
export type JudgeAgreement = Static<typeof JudgeAgreement>

const QueryInstant = (description: string) =>
  Type.Optional(Type.Unsafe<Timestamp>({ type: 'string', description }))
const ValueText = (description: string) =>
  Type.Optional(Type.String({ description: `${description} As JSON: \`true\`, \`3\`, \`"warm"\`.` }))

export const agreement = operation({
  name: 'evaluators.agreement',
  method: 'GET',
  path: '/evaluators/{slug}/agreement',
  summary:
    'Returns how well an evaluator agrees with people, over the traces and logs that both have judged. If several people gave scores, the majority counts, or the mean for numbers; if a version gave several verdicts, the last one counts.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the evaluator.' }),
    against: Type.Optional(
      Type.String({
        description:
          'Name of the human scores, such as the slug of a `human` evaluator. When absent, the name with the most cases in common.',
      }),
    ),
    from: QueryInstant('Verdicts that the evaluator gave at this instant or later.'),
    to: QueryInstant('Verdicts that the evaluator gave before this instant.'),
    judgeValue: ValueText('Only cases with this verdict of the evaluator, whether or not people agree.'),
    humanValue: ValueText('Only cases with this score by people.'),
    limit: Limit('Maximum number of cases; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    against: Nullable(
      Type.String({
        description: 'The name of the scores that it is compared with; null if there are none.',
      }),
    ),
    candidates: Type.Array(
      Type.Object({
        name: Type.String(),
        count: Type.Integer({ description: 'Number of traces and logs in common.' }),
      }),
      {
        description:
          'Names of scores that it can be compared with, the one with the most cases in common first.',
      },
    ),
    agreement: Nullable(JudgeAgreement),
    cases: Type.Array(
      Type.Object({
        traceId: Type.String({ format: 'uuid' }),
        logId: Nullable(Type.String()),
        version: Nullable(Type.Integer({ description: 'Version of the evaluator.' })),
        judge: Type.Object({ value: Value, comment: Nullable(Type.String()) }),
        people: Type.Array(
          Type.Object({
            value: Value,
            comment: Nullable(Type.String()),
            author: Nullable(Type.String()),
            userId: Nullable(Type.String({ description: 'The end user who gave the score.' })),
          }),
        ),
      }),
      {
        description:
          'Disagreements, the latest first; with `judgeValue` or `humanValue`, the cases with these values.',
      },
    ),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'evaluator_not_found'],
})
