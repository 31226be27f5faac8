import { EmbeddingJudge } from '@plumbline/contract'
import { compileObjectCheck } from '../../validate.ts'
import type { Config } from '../rules/judge.ts'
import { type Place, readPlace } from '../rules/place.ts'

const check = compileObjectCheck<EmbeddingJudge>(EmbeddingJudge, 'config')

export interface EmbeddingJudging extends EmbeddingJudge {
  readonly place: Place
  /** What is wanted, one text or several; undefined where it is the ideal output. */
  readonly value: unknown
}

/** The configuration of an evaluator that compares meanings; throws `invalid_request` naming the field that is wrong. */
export function readEmbeddingJudge(config: Config): EmbeddingJudging {
  return { ...check(config), place: readPlace(config), value: config.value ?? undefined }
}
