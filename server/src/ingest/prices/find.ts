import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { priceUsage } from '../usage/price.ts'

/** One token per bucket, so that no price for long inputs applies. */
const oneEach = {
  freshInput: 1,
  cacheRead: 1,
  cacheWrite: 1,
  cacheWriteHour: 1,
  audioInput: 1,
  textOutput: 1,
  audioOutput: 1,
  reasoning: 1,
}

export const find: Verb<typeof operations.prices.find> = async (
  { model, provider = null },
  { workspace, now },
) => {
  const overrides = await workspace.prices.list()
  const detail = priceUsage({ provider, model, time: now, buckets: oneEach, overrides })
  if (detail === null) return { price: null }
  const rates = new Map(detail.parts.map(({ bucket, pricePerMillion }) => [bucket, pricePerMillion]))
  const listed = {
    overrideId: detail.overrideId ?? undefined,
    provider: detail.provider ?? undefined,
    inputPerMillion: rates.get('freshInput'),
    outputPerMillion: rates.get('textOutput'),
    cacheReadPerMillion: rates.get('cacheRead'),
    cacheWritePerMillion: rates.get('cacheWrite'),
    reasoningPerMillion: rates.get('reasoning'),
    audioInputPerMillion: rates.get('audioInput'),
    audioOutputPerMillion: rates.get('audioOutput'),
    cacheWriteHourPerMillion: rates.get('cacheWriteHour'),
    list: detail.list?.version,
    effectiveDate: detail.effectiveDate ?? undefined,
  }
  return { price: { source: detail.source, model: detail.model, ...listed } }
}
