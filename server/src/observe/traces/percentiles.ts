import { type operations, ServiceError } from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'

const comparedUs = 30n * 86_400_000_000n

export const percentiles: Verb<typeof operations.traces.percentiles> = async ({ id }, { workspace }) => {
  const storedTrace = await findTrace(id.toLowerCase(), workspace)
  if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id })
  const { featureSlug, startUs, durationUs, cost, inputTokens, outputTokens } = storedTrace.trace
  const comparedFilters: TraceFilters = {
    fromUs: startUs - comparedUs,
    toUs: startUs + 1n,
    where: [{ field: 'feature', ...(featureSlug === null ? { exists: false } : { is: [featureSlug] }) }],
  }
  const { traces, ranks } = await workspace.traces.rank(comparedFilters, {
    durationMs: durationUs === null ? null : Number(durationUs) / 1000,
    cost,
    tokens: inputTokens + outputTokens,
  })
  return { traces, ...ranks }
}
