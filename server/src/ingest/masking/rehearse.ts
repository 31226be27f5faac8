import { type operations, rehearsedTracesMax } from '@plumbline/contract'
import type { StoredTrace } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'

const defaultTraces = 50

/** Reads the newest traces of the trace store as they are stored, so values that were already masked are not matched again. */
export const rehearse: Verb<typeof operations.masking.rehearse> = async (
  { rules, traces: limit = defaultTraces },
  { workspace },
) => {
  workspace.masking.check(rules)
  const { traces: newest } = await workspace.traces.list({}, { limit: Math.min(limit, rehearsedTracesMax) })
  const storedTraces: StoredTrace[] = []
  for (const { traceId } of newest) {
    const trace = await workspace.traces.find(traceId)
    if (trace !== undefined) storedTraces.push(trace)
  }
  return { traces: storedTraces.length, ...(await workspace.masking.rehearse(rules, storedTraces)) }
}
