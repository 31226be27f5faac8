/** The response of a target, of any kind, to a case. */
import type { CallProblem } from '../evaluators/model/call-problem.ts'

export interface TargetResponse {
  readonly output: unknown
  readonly startedAt: Date
  readonly endedAt: Date
  /** US dollars; undefined if unknown. */
  readonly cost: number | undefined
  /** The model call, if this service made it. */
  readonly generation: Generation | undefined
  /** The trace that an endpoint reports to have recorded. */
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

export type CallResult =
  | { readonly type: 'response'; readonly response: TargetResponse }
  | { readonly type: 'problem'; readonly problem: CallProblem; readonly durationMs: number }
