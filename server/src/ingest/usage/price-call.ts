/** The usage and cost of a model call through the AI SDK. */
import type { Buckets } from './buckets.ts'
import { type CostDetail, priceUsage } from './price.ts'
import type { PriceOverride } from './price-override.ts'

/** Usage as the AI SDK reports it. */
export interface CallUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly inputTokenDetails?:
    | { readonly cacheReadTokens?: number | undefined; readonly cacheWriteTokens?: number | undefined }
    | undefined
  readonly outputTokenDetails?: { readonly reasoningTokens?: number | undefined } | undefined
}

interface PricedCall {
  readonly usage: (Buckets & { readonly inputTokens: number; readonly outputTokens: number }) | null
  readonly cost: number | null
  readonly costDetail: CostDetail | null
}

/** Prices a call; usage and cost are null if the provider reports no tokens. */
export function priceCall(
  { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: CallUsage,
  call: {
    readonly provider: string
    readonly model: string
    readonly time: Date
    readonly overrides: readonly PriceOverride[]
  },
): PricedCall {
  if (inputTokens === undefined || outputTokens === undefined)
    return { usage: null, cost: null, costDetail: null }
  const { cacheReadTokens: cacheRead = 0, cacheWriteTokens: cacheWrite = 0 } = inputTokenDetails ?? {}
  const { reasoningTokens: reasoning = 0 } = outputTokenDetails ?? {}
  const buckets = {
    freshInput: Math.max(0, inputTokens - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    textOutput: Math.max(0, outputTokens - reasoning),
    reasoning,
  }
  const { provider, model, time, overrides } = call
  const costDetail = priceUsage({ provider, model, time, overrides, buckets })
  return { usage: { inputTokens, outputTokens, ...buckets }, cost: costDetail?.total ?? null, costDetail }
}
