import type { Spend } from './ask-model.ts'

/** One call of a model judge. */
export interface JudgeCall {
  readonly operation: 'chat' | 'embeddings'
  readonly model: string
  readonly provider: string
  readonly input: unknown
  /** Null if there was no response. */
  readonly output: unknown
  readonly problem?: string | undefined
  readonly spend: Spend
  readonly startedAt: Date
  readonly endedAt: Date
}
