/** The configuration of an evaluator of the kind `llm`. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'
import { Verdict } from './verdict.ts'

/** What a template of a judge may name. */
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
      'The question, as a Jinja template over `input`, `output`, `idealOutput`, `variables`, `metadata`, `context`, which is what retrievals found, and `turns`, which are those of a session: each has `input`, `output` and `error`.',
  }),
  systemTemplate: Absentable(
    Type.String({ maxLength: 100_000, description: 'Template of the message of the system.' }),
  ),
  verdict: Verdict,
  temperature: Absentable(
    Type.Number({ minimum: 0, maximum: 2, description: "The provider's default when absent." }),
  ),
  seed: Absentable(Type.Integer({ description: 'For providers that take one.' })),
  maxOutputTokens: Absentable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Of reasoning and answer; 4096 when absent.',
    }),
  ),
  timeoutMs: Absentable(
    Type.Integer({
      minimum: 100,
      maximum: 300_000,
      description: 'How long an answer is waited for; 60000 when absent.',
    }),
  ),
})
export type ModelJudge = Static<typeof ModelJudge>
