/** The configuration of an `embedding_similarity` evaluator. */
import { type Static, Type } from 'typebox'
import { Absentable } from '../interface/shapes.ts'

export const EmbeddingJudge = Type.Object({
  connectionId: Type.String({ minLength: 1, description: 'Id of the connection to the provider.' }),
  model: Type.String({ minLength: 1, maxLength: 200, description: 'The embedding model.' }),
  threshold: Absentable(
    Type.Number({
      minimum: -1,
      maximum: 1,
      description: 'Passes from this similarity on; when absent, the similarity is the score.',
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
export type EmbeddingJudge = Static<typeof EmbeddingJudge>
