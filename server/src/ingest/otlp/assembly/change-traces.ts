/**
 * Changes stored traces that the assembler of any node may be replacing. Without this coordination, the assembler would
 * subtract their values before the change from the hourly sums, and write other rows in place of the changed ones.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ControlStore } from '@plumbline/storage/control'
import { type TraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import type { Mutex } from '../../../process/mutex.ts'
import { leasedPollMs, leaseMs } from './assembler.ts'

export interface PlanDeps {
  readonly assemblyStore: Pick<ControlStore['assemblies'], 'unfinished'>
  /** Makes this node's assembler carry out plans that another node left. */
  readonly wakeAssembler: () => void
}

export interface TraceChangeDeps extends PlanDeps {
  readonly assemblyStore: Pick<ControlStore['assemblies'], 'pause' | 'resume' | 'unfinished'>
  readonly store: Pick<TraceStore, 'scopedTo'>
  /** Excludes other changes of stored traces, on every node. */
  readonly traceChanges: Mutex
  /** Runs work while nothing else on this node writes to the trace store. */
  readonly pauseDrainWhile: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly node: string
  readonly now: () => Date
}

/** Runs work that changes these traces while no node changes or assembles them. */
export type ChangeTraces = <Result>(
  traces: { readonly workspaceId: string; readonly traceIds: readonly string[] },
  work: () => Promise<Result>,
) => Promise<Result>

/** Resolves once no node is storing any of these traces; rejects when that takes too long. */
export type UntilStored = (otelTraceIds: readonly string[]) => Promise<void>

/** Two leases: the plan of a node that died is carried out once its lease has expired. */
const waitMsMax = 2 * leaseMs

export const makeChangeTraces =
  (deps: TraceChangeDeps): ChangeTraces =>
  ({ workspaceId, traceIds }, work) =>
    deps.traceChanges.runExclusive(async () => {
      const { assemblyStore, store, pauseDrainWhile, node, now } = deps
      const otelTraceIds = [...new Set((await store.scopedTo(workspaceId).otelIdsOf(traceIds)).values())]
      const keys = otelTraceIds.map((otelTraceId) => ({ workspaceId, otelTraceId }))
      if (keys.length === 0) return pauseDrainWhile(work)
      // Renewed on each attempt, so that it lasts for the work.
      const pauseAssembly = () => assemblyStore.pause(keys, node, new Date(now().getTime() + leaseMs))
      try {
        await untilPlansEnd(deps, otelTraceIds, pauseAssembly)
        return await pauseDrainWhile(work)
      } finally {
        await assemblyStore.resume(keys)
      }
    })

/** For traces that were marked as deleted: no new plan includes them. */
export const makeUntilStored =
  (deps: PlanDeps): UntilStored =>
  (otelTraceIds) =>
    untilPlansEnd(deps, otelTraceIds)

/** Resolves when no unfinished plan includes one of the traces; `beforeEach` runs before each check. */
async function untilPlansEnd(
  { assemblyStore, wakeAssembler }: PlanDeps,
  otelTraceIds: readonly string[],
  beforeEach: () => Promise<void> = async () => {},
): Promise<void> {
  const ids = new Set(otelTraceIds)
  const startedAt = performance.now()
  for (;;) {
    await beforeEach()
    const plans = await assemblyStore.unfinished()
    if (!plans.some(({ traces }) => traces.some(({ otelTraceId }) => ids.has(otelTraceId)))) return
    if (performance.now() - startedAt >= waitMsMax)
      throw new TraceStoreUnavailable('Some traces are still being assembled.')
    wakeAssembler()
    await pause(leasedPollMs)
  }
}
