/** One model call of a replay. */
import { ServiceError } from '@plumbline/contract'
import type { LanguageModel } from 'ai'
import { priceCall } from '../../ingest/usage/price-call.ts'
import type { PriceOverride } from '../../ingest/usage/price-override.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import { type Parameters, startCall } from '../../prompts/playground/call.ts'
import { gatherResponse } from '../../prompts/playground/gather-response.ts'
import { toModelMessages } from '../../prompts/playground/messages.ts'

export interface ReplayModel {
  readonly languageModel: LanguageModel
  readonly provider: string
  readonly model: string
  readonly parameters: object
  readonly overrides: readonly PriceOverride[]
}

export type CallResult =
  | {
      readonly output: unknown
      readonly cost: number | null
      readonly durationMs: number
      /** 0 if the provider reports none. */
      readonly inputTokens: number
      readonly outputTokens: number
    }
  | { readonly problem: string }

const timeoutMs = 120_000

/** Never rejects for failures of the provider or the network: those are the result of one replay of many. */
export async function callVersion(
  messages: readonly Readonly<Record<string, unknown>>[],
  { languageModel, provider, model, parameters, overrides }: ReplayModel,
): Promise<CallResult> {
  const startedAt = new Date()
  const started = performance.now()
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    // Safe: versions have the playground's parameters, and the provider validates them.
    const call = await startCall(languageModel, toModelMessages(messages), parameters as Parameters, signal)
    const { output, usage } = await gatherResponse(call.fullStream, signal)
    const durationMs = performance.now() - started
    const priced = priceCall(usage, { provider, model, time: startedAt, overrides })
    const { inputTokens = 0, outputTokens = 0 } = priced.usage ?? {}
    return { output, cost: priced.cost, durationMs, inputTokens, outputTokens }
  } catch (error) {
    return { problem: error instanceof ServiceError ? error.message : problemOf(error) }
  }
}
