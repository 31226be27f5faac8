/** Deletes expired traces: whole months at once if no workspace keeps any of their traces, and the others in slices. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ControlStore } from '@plumbline/storage/control'
import {
  purgeSteps,
  type SlicePosition,
  type TraceStore,
  TraceStoreUnavailable,
} from '@plumbline/storage/traces'
import { assembledCutoff } from '../../ingest/otlp/assembly/assembly-timing.ts'
import type { UntilStored } from '../../ingest/otlp/assembly/change-traces.ts'
import type { Mutex } from '../../process/mutex.ts'
import type { SliceSize } from '../deletions/delete-slice.ts'
import { expiredSelections, wholeCutoff } from './rules.ts'

export interface ExpireDeps {
  readonly control: Pick<ControlStore, 'revisions' | 'scopedTo'>
  readonly traceStore: TraceStore
  readonly traceChanges: Mutex
  readonly untilStored: UntilStored
  readonly sliceSize: SliceSize
  readonly signal: AbortSignal
}

/**
 * Returns the error if some traces remain. While a shard of the trace store is unavailable, traces of workspaces on the
 * other shards expire. Retrying is up to the caller.
 */
export async function expireTraces(deps: ExpireDeps, now: Date): Promise<TraceStoreUnavailable | undefined> {
  const { control, traceStore, signal } = deps
  let unavailable: TraceStoreUnavailable | undefined
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof TraceStoreUnavailable)) throw error
      unavailable = error
    }
  }
  const workspaceIds = [...(await control.revisions()).keys()]
  const expiries = new Map<string, number>()
  for (const workspaceId of workspaceIds) {
    const cutoff = wholeCutoff(await control.scopedTo({ workspaceId }).retention.find(), now)
    if (cutoff !== undefined)
      expiries.set(workspaceId, Math.min(cutoff.getTime(), assembledCutoff(now).getTime()))
  }
  // Months with traces that may be assembled again are left out: the control plane has to know that such a trace is deleted.
  await attempt(() => traceStore.dropExpiredMonths(expiries))
  for (const workspaceId of workspaceIds)
    if (!signal.aborted) await attempt(() => expireOfWorkspace(deps, workspaceId, now))
  if (!signal.aborted) await attempt(() => purgeSparse(deps))
  return unavailable
}

/** Sums are kept: dashboards continue to count expired traces. */
async function expireOfWorkspace(deps: ExpireDeps, workspaceId: string, now: Date): Promise<void> {
  const { control, traceStore, traceChanges, untilStored, sliceSize, signal } = deps
  const workspace = control.scopedTo({ workspaceId })
  const rules = await workspace.retention.find()
  for (const selection of expiredSelections(rules, workspaceId, now)) {
    // Deleted traces are still read until the engine has rewritten them, so each slice starts where the last one ended.
    let after: SlicePosition | undefined
    for (let isMore = true; isMore && !signal.aborted; ) {
      let elapsedMs = 0
      isMore = await traceChanges.runExclusive(async () => {
        const startedAt = performance.now()
        const traces = await traceStore.nextTraces(selection, { limit: sliceSize.get(), after })
        if (traces.length === 0) return false
        const otelTraceIds = traces.map(({ otelTraceId }) => otelTraceId).filter((id) => id !== '')
        await workspace.traceReferences.markDeleted(otelTraceIds, now)
        // A trace that is being stored would otherwise reappear, and be counted twice.
        if (otelTraceIds.length > 0) await untilStored(otelTraceIds)
        await workspace.traceReferences.remove(traces.map(({ traceId }) => traceId))
        const slice = { traces, token: '', keepsSums: true }
        const { waitedMs } = await traceStore.deleteSlice(workspaceId, slice)
        after = traces.at(-1)
        elapsedMs = performance.now() - startedAt - waitedMs
        sliceSize.adapt(elapsedMs)
        return true
      })
      // Half of the time is left for inserts: nothing waits for the nightly run to end.
      await pause(elapsedMs)
    }
  }
}

const pollMs = 1000

/** Rewrites partitions of which a large part is deleted; the engine does so in the background. */
async function purgeSparse({ traceStore, signal }: ExpireDeps): Promise<void> {
  const partitions = await traceStore.sparsePartitions()
  for (const step of purgeSteps) {
    if (signal.aborted) return
    await traceStore.beginPurge(partitions, step)
    while (!signal.aborted && (await traceStore.isPurging())) await pause(pollMs)
  }
}
