/** The configuration of an `llm` evaluator. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'
import { Verdict } from './verdict.ts'

/** The variables of a judge template. */
export const judgedVariables = [
  'input',
  'output',
  'idealOutput',
  'variables',
  'metadata',
  'context',
  'turns',
] as const

export const ModelJudge = Type.Object({
  connectionId: Type.String({ minLength: 1, description: 'Id of the connection to the provider.' }),
  model: Type.String({ minLength: 1, maxLength: 200, description: 'The model that judges.' }),
  template: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description:
      'The user message, as a Jinja template over `input`, `output`, `idealOutput`, `variables`, `metadata`, `context` (the results of retrievals) and `turns` (those of a session, each with `input`, `output` and `error`).',
  }),
  systemTemplate: Absentable(
    Type.String({ maxLength: 100_000, description: 'Template of the system message.' }),
  ),
  verdict: Verdict,
  temperature: Absentable(
    Type.Number({ minimum: 0, maximum: 2, description: "The provider's default when absent." }),
  ),
  seed: Absentable(Type.Integer({ description: 'Seed, for providers that accept one.' })),
  maxOutputTokens: Absentable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Maximum for reasoning and answer together; 4096 when absent.',
    }),
  ),
  timeoutMs: Absentable(
    Type.Integer({
      minimum: 100,
      maximum: 300_000,
      description: 'Timeout of a response; 60000 when absent.',
    }),
  ),
})
export type ModelJudge = Static<typeof ModelJudge>
