import { EmbeddingJudge } from '@plumbline/contract'
import { makeObjectCheck } from '../../../requests/validate.ts'
import type { Config } from '../rules/judge.ts'
import { type Place, readPlace } from '../rules/place.ts'

const check = makeObjectCheck<EmbeddingJudge>(EmbeddingJudge, 'config')

export interface ParsedEmbeddingJudge extends EmbeddingJudge {
  readonly place: Place
  /** The expected text or texts; undefined means the ideal output. */
  readonly value: unknown
}

/** The configuration of an evaluator that compares embeddings; throws `invalid_request` naming the invalid field. */
export function readEmbeddingJudge(config: Config): ParsedEmbeddingJudge {
  return { ...check(config), place: readPlace(config), value: config.value ?? undefined }
}
