import type { Spend } from './ask-model.ts'

/** One call of a model that judged. */
export interface JudgeCall {
  readonly operation: 'chat' | 'embeddings'
  readonly model: string
  readonly provider: string
  readonly input: unknown
  /** Null where there was no answer. */
  readonly output: unknown
  readonly problem?: string | undefined
  readonly spend: Spend
  readonly startedAt: Date
  readonly endedAt: Date
}
