/** The configuration of an evaluator of the kind `embedding_similarity`. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'

export const EmbeddingJudge = Type.Object({
  connectionId: Type.String({ minLength: 1, description: 'Id of the connection to the provider.' }),
  model: Type.String({ minLength: 1, maxLength: 200, description: 'The model that makes vectors of texts.' }),
  threshold: Absentable(
    Type.Number({
      minimum: -1,
      maximum: 1,
      description: 'Passes from this likeness on; without it, the likeness is the score.',
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
export type EmbeddingJudge = Static<typeof EmbeddingJudge>
