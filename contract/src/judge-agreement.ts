/** How far an evaluator judges as people do. */
import { type Static, Type } from 'typebox'
import { Share } from './annotation-queues.ts'
import { operation } from './operation.ts'
import { Score } from './scores.ts'
import { Cursor, Limit, NextCursor, Nullable, named, type Timestamp } from './shapes.ts'

const Value = Score.properties.value

const fields = {
  agreed: Share,
  undecided: Type.Integer({ description: 'Left out, since as many people said one thing as another.' }),
  kappa: Nullable(
    Type.Number({
      description:
        "Cohen's kappa: 1 for full agreement, 0 for what chance would make; numbers are weighted by the squares of their differences. Null where chance alone would make them agree, and of numbers that take more than 50 values.",
    }),
  ),
  meanDifference: Nullable(
    Type.Number({ description: 'Of numbers: how far they are apart, on average, whichever is higher.' }),
  ),
  pearson: Nullable(Type.Number({ description: 'Of numbers: their correlation.' })),
  spearman: Nullable(Type.Number({ description: 'Of numbers: the correlation of their ranks.' })),
}

export const JudgeAgreement = named(
  'JudgeAgreement',
  'How far an evaluator judges as people do, where both have judged.',
  {
    ...fields,
    type: Type.Enum(['boolean', 'numeric', 'categorical'], { description: 'What the verdicts are.' }),
    categories: Type.Array(Value, {
      description:
        'What rows and columns of the matrix stand for; empty of numbers that take more than 12 values.',
    }),
    matrix: Type.Array(Type.Array(Type.Integer()), {
      description: 'How often the evaluator (row) said this where people (column) said that.',
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
    'How far an evaluator judges as people do: traces and logs that both have judged. Of several people the majority counts, of numbers the mean; of several verdicts of a version the last.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: Type.String({ description: 'Slug of the evaluator.' }),
    against: Type.Optional(
      Type.String({
        description:
          'Name of the scores that people gave, such as the slug of an evaluator of the kind `human`; that with most in common when absent.',
      }),
    ),
    from: QueryInstant('Verdicts of the evaluator given at this instant or later.'),
    to: QueryInstant('Verdicts given before this instant.'),
    judgeValue: ValueText('Only what the evaluator judged so, whether people agree or not.'),
    humanValue: ValueText('Only what people judged so.'),
    limit: Limit('How many cases; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    against: Nullable(Type.String({ description: 'What it was held against; null if there is nothing.' })),
    candidates: Type.Array(
      Type.Object({
        name: Type.String(),
        count: Type.Integer({ description: 'Traces and logs in common.' }),
      }),
      { description: 'What it can be held against, that with most in common first.' },
    ),
    agreement: Nullable(JudgeAgreement),
    cases: Type.Array(
      Type.Object({
        traceId: Type.String({ format: 'uuid' }),
        logId: Nullable(Type.String()),
        version: Nullable(Type.Integer({ description: 'Of the evaluator.' })),
        judge: Type.Object({ value: Value, comment: Nullable(Type.String()) }),
        people: Type.Array(
          Type.Object({
            value: Value,
            comment: Nullable(Type.String()),
            author: Nullable(Type.String()),
            userId: Nullable(Type.String({ description: 'The end user whose judgement it is.' })),
          }),
        ),
      }),
      {
        description:
          'Where they differ, the last judged first; with `judgeValue` or `humanValue`, what has these.',
      },
    ),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'evaluator_not_found'],
})
