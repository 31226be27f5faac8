import { invalid, type operations } from '@plumbline/contract'
import { readTimestamp } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { toPriceOverride } from './view.ts'

export const create: Verb<typeof operations.prices.create> = async (input, { workspace, now }) => {
  const startsUs = input.startsAt == null ? undefined : readTimestamp(input.startsAt)
  if (input.startsAt != null && startsUs === undefined) {
    throw invalid('startsAt', 'must be an ISO 8601 date-time that exists, or a Unix time')
  }
  const price = {
    provider: input.provider ?? undefined,
    model: input.model,
    startsAt: startsUs === undefined ? undefined : new Date(Number(startsUs / 1000n)),
    inputPerMillion: input.inputPerMillion,
    outputPerMillion: input.outputPerMillion,
    cacheReadPerMillion: input.cacheReadPerMillion ?? undefined,
    cacheWritePerMillion: input.cacheWritePerMillion ?? undefined,
    reasoningPerMillion: input.reasoningPerMillion ?? undefined,
  }
  return { priceOverride: toPriceOverride(await workspace.prices.create(price, now)) }
}
