import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, FreeObject, Instant, named, Slug } from './shapes.ts'

export const evaluatorKinds = [
  'llm',
  'code',
  'human',
  'equals',
  'contains',
  'regex',
  'json_schema',
  'range',
  'similarity',
] as const

/** The share of traces that an evaluator judges unless told otherwise. */
export const defaultSampleRate = 0.1

export const Evaluator = named('Evaluator', 'What judges traces and logs.', {
  slug: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule by its name.' }),
  config: FreeObject('What the kind needs; `{value}` for `contains`.'),
  sampleRate: Type.Number({ minimum: 0, maximum: 1, description: 'Share of traces it judges by default.' }),
  createdAt: Instant('When it was created.'),
})
export type Evaluator = Static<typeof Evaluator>

export const list = operation({
  name: 'evaluators.list',
  method: 'GET',
  path: '/evaluators',
  summary: 'Lists all evaluators.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ evaluators: Type.Array(Evaluator) }),
  errors: [],
})

export const create = operation({
  name: 'evaluators.create',
  method: 'POST',
  path: '/evaluators',
  summary: 'Creates an evaluator.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Slug('Slug of the evaluator.'),
    name: Type.String({ minLength: 1, description: 'Name of the evaluator.' }),
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule by its name.' }),
    config: FreeObject('What the kind needs; `{value}` for `contains`.'),
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: `Share of traces it judges; ${defaultSampleRate} by default.`,
      }),
    ),
  }),
  success: 201,
  output: Type.Object({ evaluator: Evaluator }),
  errors: ['invalid_request', 'already_exists'],
})
