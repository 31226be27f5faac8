/** Deletes the next traces of a deletion, and what the control plane stores about them. */
import { addCounts, type ControlStore, type Deletion } from '@plumbline/storage/control'
import type { DeletedRows, TraceStore } from '@plumbline/storage/traces'
import type { Mutex } from '../../process/mutex.ts'
import {
  mergePartitions,
  type Progress,
  positionOf,
  progressOf,
  progressText,
  toDoomedTraces,
  toStoredTraces,
} from './progress.ts'
import { selectionsToDelete } from './selection.ts'

export interface SliceDeps {
  readonly control: Pick<ControlStore, 'dataDeletions' | 'assemblies' | 'scopedTo'>
  readonly traceStore: Pick<TraceStore, 'planSlice' | 'deleteSlice'>
  /** Excludes other changes of stored traces, on any node, except for the assembler's. */
  readonly traceChanges: Mutex
  /** Resolves when no assembly that has started is still running on this node. */
  readonly untilAssembled: () => Promise<void>
  /** Adapts the number of traces in a slice to the duration of the last one. */
  readonly sliceSize: SliceSize
  readonly now: () => Date
}

/** The result of a step: the current state of the deletion, and how long to wait before the next step. */
export type StepResult = { readonly deletion: Deletion; readonly waitMs?: number }

const otherSlicePauseMs = 200

/** Deletes one slice of the current selection. If nothing is left, moves on to the next selection, and then to `next`. */
export function deleteNextSlice(
  deps: SliceDeps,
  deletion: Deletion,
  next: (progress: Progress) => Progress,
): Promise<StepResult> {
  return deps.traceChanges.runExclusive(async () => {
    const { control, now } = deps
    const { slice, ...progress } = progressOf(deletion)
    if (slice !== undefined && slice.traces.length > 0) return carryOut(deps, deletion)
    // Claimed before it is planned: traces that two deletions find at the same time would be subtracted twice.
    const claimed = slice === undefined ? await claimSlice(deps, deletion) : deletion
    if (claimed === undefined) {
      await finishCancelledSlice(deps, deletion)
      return { deletion, waitMs: otherSlicePauseMs }
    }
    const selections = selectionsToDelete(deletion)
    const selection = selections[progress.selection]
    const plan =
      selection &&
      (await deps.traceStore.planSlice(selection, {
        limit: deps.sliceSize.get(),
        after: positionOf(progress),
      }))
    if (plan === undefined) {
      const { after: _after, ...rest } = progress
      const isLast = progress.selection + 1 >= selections.length
      const moved = isLast ? next({ ...rest, selection: 0 }) : { ...rest, selection: progress.selection + 1 }
      const step = { progress: progressText(moved), deletedCounts: {} }
      return { deletion: await control.dataDeletions.advance(claimed, step, now()) }
    }
    const planned: Progress = {
      ...progress,
      slices: progress.slices + 1,
      slice: { traces: toStoredTraces(plan), rows: plan.rows },
      partitions: mergePartitions(progress.partitions, plan.partitions),
    }
    const step = { progress: progressText(planned), deletedCounts: {} }
    return carryOut(deps, await control.dataDeletions.advance(claimed, step, now()))
  })
}

const noRows: DeletedRows = { traces: 0, logs: 0, scores: 0, spans: 0 }

/** Gives the deletion a slice without traces; undefined while another deletion of the workspace has a slice. */
const claimSlice = ({ control, now }: SliceDeps, deletion: Deletion): Promise<Deletion | undefined> =>
  control.dataDeletions.claimSlice(
    deletion,
    {
      progress: progressText({ ...progressOf(deletion), slice: { traces: [], rows: noRows } }),
      hasSlice: (other) => progressOf(other).slice !== undefined,
    },
    now(),
  )

/**
 * A deletion cancelled in the middle of a slice would block the others of the workspace. Its slice may be half deleted, so
 * it is completed; a retry of the deletion continues after it.
 */
async function finishCancelledSlice(deps: SliceDeps, { workspaceId }: Deletion): Promise<void> {
  const { control, now } = deps
  const hasSlice = (other: Deletion) => progressOf(other).slice !== undefined
  const cancelled = await control.dataDeletions.findCancelledWithSlice(workspaceId, hasSlice)
  if (cancelled === undefined) return
  const { slice, ...progress } = progressOf(cancelled)
  if (slice !== undefined && slice.traces.length > 0) return void (await carryOut(deps, cancelled))
  // The slice was not planned yet.
  await control.dataDeletions.advance(
    cancelled,
    { progress: progressText(progress), deletedCounts: {} },
    now(),
  )
}

async function carryOut(deps: SliceDeps, deletion: Deletion): Promise<StepResult> {
  const { control, traceStore, sliceSize, now } = deps
  const { slice, ...progress } = progressOf(deletion)
  if (slice === undefined) return { deletion }
  const startedAt = performance.now()
  const traces = toDoomedTraces(slice.traces)
  const workspace = control.scopedTo(deletion)
  const otelTraceIds = traces.map(({ otelTraceId }) => otelTraceId).filter((id) => id !== '')
  if (otelTraceIds.length > 0) {
    // A trace that was sent whole is in the trace store a moment before the control plane knows it.
    await deps.untilAssembled()
    await workspace.traceReferences.markDeleted(otelTraceIds, now())
    await deps.untilAssembled()
    // Another node may be storing one of them; it will not start again after the mark.
    const plans = await control.assemblies.unfinished()
    const marked = new Set(otelTraceIds)
    if (plans.some((plan) => plan.traces.some(({ otelTraceId }) => marked.has(otelTraceId))))
      return { deletion, waitMs: otherSlicePauseMs }
  }
  const references = await workspace.traceReferences.remove(traces.map(({ traceId }) => traceId))
  const token = `deletion ${deletion.id} ${progress.slices}`
  const slicePlan = { traces, token, keepsSums: false }
  const { waitedMs } = await traceStore.deleteSlice(deletion.workspaceId, slicePlan)
  const last = traces.at(-1)
  const step = {
    progress: progressText({
      ...progress,
      ...(last === undefined ? {} : { after: [String(last.startUs), last.traceId] as const }),
    }),
    deletedCounts: addCounts(slice.rows, references),
  }
  sliceSize.adapt(performance.now() - startedAt - waitedMs)
  return { deletion: await control.dataDeletions.advance(deletion, step, now()) }
}

export interface SliceSize {
  get(): number
  adapt(elapsedMs: number): void
}

/** At most this many: their ids and start times fit three times into a statement of 256 KB. */
const tracesPerSlice = { least: 200, first: 200, most: 1000 }
const sliceMs = { short: 100, long: 300 }

/** A slice takes a handful of statements. On a slow machine it has fewer traces, but enough to be worth the fixed cost. */
export function makeSliceSize(): SliceSize {
  let size = tracesPerSlice.first
  return {
    get: () => size,
    adapt(elapsedMs) {
      if (elapsedMs < sliceMs.short) size = Math.min(tracesPerSlice.most, size * 2)
      else if (elapsedMs > sliceMs.long) size = Math.max(tracesPerSlice.least, Math.floor(size / 2))
    },
  }
}
