/** The steps of deletions and erasures. Each may be repeated after a crash, and ends by storing the next step. */
import type { Deletion } from '@plumbline/storage/control'
import { purgeSteps, type TraceStore } from '@plumbline/storage/traces'
import type { RefusedRecords } from '../../ingest/monitor/refused-records.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { findCopies, findRows } from '../erasures/find-rows.ts'
import { makeSubjectTexts } from '../erasures/names-subject.ts'
import { countReferences, places } from '../erasures/references.ts'
import { deleteNextSlice, type SliceDeps, type StepResult } from './delete-slice.ts'
import { mergePartitions, type Progress, progressText, type StepName } from './progress.ts'
import { selectionsOf, selectionsToDelete, subjectOf } from './selection.ts'

export interface StepDeps extends SliceDeps {
  readonly traceStore: TraceStore
  readonly refusedRecords: RefusedRecords
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Resolves when everything acknowledged so far is in the trace store, and spans are assembled into their traces. */
  readonly settle: (workspaceId: string) => Promise<void>
  /** How long data in transit at the time of the request may take to arrive. */
  readonly graceMs: number
  /** The start of the next night, when parts may be rewritten. */
  readonly nextNight: (now: Date) => Date
}

type Step = (deps: StepDeps, deletion: Deletion, progress: Progress) => Promise<StepResult>

const pollMs = { purge: 500, disk: 5_000 }
/** Longer than a busy engine keeps the files of replaced parts. */
const diskTimeoutMs = 20 * 60_000
const scoresPerSlice = 500

export const steps: Readonly<Record<StepName, Step>> = {
  settle: async (deps, deletion, progress) => {
    await deps.settle(deletion.workspaceId)
    await deps.workspaceOf(deletion.workspaceId).flushLedger()
    const step = subjectOf(deletion) === undefined ? 'traces' : 'find'
    return moveOn(deps, deletion, { ...progress, step })
  },

  find: async (deps, deletion, progress) => {
    const search = { ...searchOf(deps, deletion), selections: selectionsOf(deletion) }
    const { rows, copies } = await findCopies(search, progress.copies)
    return moveOn(deps, deletion, { ...progress, step: 'references', rows, copies, references: 0 })
  },

  references: async (deps, deletion, { rows, ...progress }) => {
    const [name, remove] = places[progress.references] ?? []
    if (name === undefined || remove === undefined || rows === undefined)
      return moveOn(deps, deletion, { ...progress, step: 'traces' })
    const search = { ...searchOf(deps, deletion), rows, mode: 'remove' as const }
    const removed = await remove(search, makeSubjectTexts(search.subject.ids))
    return moveOn(
      deps,
      deletion,
      { ...progress, rows, references: progress.references + 1 },
      { [name]: removed },
    )
  },

  traces: (deps, deletion) =>
    deleteNextSlice(deps, deletion, (progress) => ({ ...progress, step: 'scores' })),

  scores: async (deps, deletion, progress) => {
    const subject = subjectOf(deletion)
    if (subject?.type === 'user') {
      const { scores, partitions } = await deps.traceChanges.runExclusive(() =>
        deps.traceStore.deleteScoresOfUser(deletion.workspaceId, {
          userIds: subject.ids,
          untilMs: deletion.requestedAt.getTime(),
          limit: scoresPerSlice,
        }),
      )
      if (scores > 0) {
        const allPartitions = mergePartitions(progress.partitions, partitions)
        return moveOn(deps, deletion, { ...progress, partitions: allPartitions }, { scores })
      }
    }
    return afterRows(deps, deletion, progress)
  },

  wait: async (deps, deletion, { atMs = 0, ...progress }) => {
    const waitMs = atMs - deps.now().getTime()
    if (waitMs > 0) return { deletion, waitMs }
    return subjectOf(deletion) === undefined
      ? moveOn(deps, deletion, { ...progress, step: 'patches' })
      : moveOn(deps, deletion, { ...progress, step: 'settle', round: progress.round + 1 })
  },

  patches: (deps, deletion, progress) => purge(deps, deletion, progress, { index: 0, next: 'mask' }),

  mask: (deps, deletion, progress) => purge(deps, deletion, progress, { index: 1, next: 'disk' }),

  disk: async (deps, deletion, { atMs, ...progress }) => {
    const oldParts = await deps.traceStore.removeOldParts(new Date(atMs ?? 0))
    // A server may delay the removal; then the report has the number of remaining parts.
    const isPatient = deps.now().getTime() - (progress.waitingSinceMs ?? 0) < diskTimeoutMs
    if (oldParts > 0 && isPatient) return { deletion, waitMs: pollMs.disk }
    if (subjectOf(deletion) === undefined) return finish(deps, deletion, undefined)
    return moveOn(deps, deletion, { ...progress, step: 'check', oldParts })
  },

  check: async (deps, deletion, progress) => {
    const search = searchOf(deps, deletion)
    const until = deletion.requestedAt.getTime()
    const subjectRows = await deps.traceStore.subjectRows(deletion.workspaceId, search.subject, until)
    let copies = 0
    for (const selection of selectionsToDelete(deletion).slice(selectionsOf(deletion).length))
      copies += (await deps.traceStore.countSelection(selection)).traces
    const checks = {
      ...subjectRows,
      traces: subjectRows.traces + copies,
      ...(await countReferences({ ...search, rows: await findRows(search) })),
      oldParts: progress.oldParts ?? 0,
    }
    const remains = Object.entries(checks).some(
      ([place, rows]) => place !== 'mentions' && place !== 'oldParts' && rows > 0,
    )
    if (!remains) return finish(deps, deletion, checks)
    // Data that has arrived since needs another round. It waits first, so that a fault does not cause a busy loop.
    const step = { ...progress, step: 'wait' as const, atMs: deps.now().getTime() + deps.graceMs }
    return moveOn(deps, deletion, step, {}, { checks })
  },
}

/** The rows are no longer in any response. An erasure makes a second pass after a while, and then removes the rows from disk. */
async function afterRows(deps: StepDeps, deletion: Deletion, progress: Progress): Promise<StepResult> {
  const now = deps.now()
  await deps.control.dataDeletions.compact()
  const isErasure = subjectOf(deletion) !== undefined
  if (isErasure && progress.round > 1) return moveOn(deps, deletion, { ...progress, step: 'patches' })
  const hasRows = Object.keys(progress.partitions).length > 0
  if (!isErasure && !hasRows) return finish(deps, deletion, undefined)
  const atMs = isErasure ? now.getTime() + deps.graceMs : deps.nextNight(now).getTime()
  return moveOn(deps, deletion, { ...progress, step: 'wait', atMs }, {}, { isDone: true })
}

/** Starts a rewrite of the parts, and then waits for it to end. */
async function purge(
  deps: StepDeps,
  deletion: Deletion,
  { atMs, ...progress }: Progress,
  { index, next }: { readonly index: 0 | 1; readonly next: StepName },
): Promise<StepResult> {
  // After a crash it may start again: rewriting parts twice does no harm.
  if (atMs === undefined) {
    await deps.traceStore.beginPurge(progress.partitions, purgeSteps[index])
    return moveOn(deps, deletion, { ...progress, atMs: deps.now().getTime() })
  }
  if (await deps.traceStore.isPurging()) return { deletion, waitMs: pollMs.purge }
  const isLast = next === 'disk'
  return moveOn(deps, deletion, {
    ...progress,
    step: next,
    ...(isLast
      ? { atMs: (await deps.traceStore.engineTime()).getTime(), waitingSinceMs: deps.now().getTime() }
      : {}),
  })
}

async function moveOn(
  { control, now }: StepDeps,
  deletion: Deletion,
  progress: Progress,
  deletedCounts: Readonly<Record<string, number>> = {},
  options: { readonly isDone?: boolean; readonly checks?: Readonly<Record<string, number>> } = {},
): Promise<StepResult> {
  const step = { progress: progressText(progress), deletedCounts, ...options }
  return { deletion: await control.dataDeletions.advance(deletion, step, now()) }
}

async function finish(
  { control, now }: StepDeps,
  deletion: Deletion,
  checks: Readonly<Record<string, number>> | undefined,
): Promise<StepResult> {
  const isDone = deletion.doneAt === undefined
  const step = { progress: '{}', deletedCounts: {}, checks, isDone, isFinished: true }
  const finished = await control.dataDeletions.advance(deletion, step, now())
  // The deletion's own row was the last one that named the subject.
  await control.dataDeletions.compact()
  return { deletion: finished }
}

function searchOf(deps: StepDeps, deletion: Deletion) {
  const subject = subjectOf(deletion)
  if (subject === undefined) throw new Error('A deletion of traces has no subject.')
  return {
    workspace: deps.workspaceOf(deletion.workspaceId),
    traceStore: deps.traceStore,
    refusedRecords: deps.refusedRecords,
    subject,
    selections: selectionsToDelete(deletion),
    until: deletion.requestedAt,
    now: deps.now(),
  }
}
