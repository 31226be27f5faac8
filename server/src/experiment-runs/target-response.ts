/** What a target made of a case, whatever the target is. */
import type { CallProblem } from '../evaluators/model/call-problem.ts'

export interface Answer {
  readonly output: unknown
  readonly startedAt: Date
  readonly endedAt: Date
  /** US dollars; undefined where it is not known. */
  readonly cost: number | undefined
  /** The call of a model, where this service has made it. */
  readonly generation: Generation | undefined
  /** A trace that an endpoint says it has recorded. */
  readonly traceId: string | undefined
}

export interface Generation {
  readonly model: string
  readonly provider: string
  readonly prompt: { readonly slug: string; readonly version: string }
  readonly messages: readonly object[]
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly reasoning: number
  } | null
}

export type Tried =
  | { readonly type: 'answered'; readonly answer: Answer }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly durationMs: number }
