/** Runs deletions and erasures as jobs, and lets a request wait for a short one. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Deletion, type DeletionType, deletionJobKind } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { JobContext, JobResult } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { describeError } from '../../process/describe-error.ts'
import type { Context } from '../../requests/verb.ts'
import { progressOf } from './progress.ts'
import { selectionsOf } from './selection.ts'
import { type StepDeps, steps } from './steps.ts'

export interface DeletingDeps extends Omit<StepDeps, 'graceMs'> {
  readonly jobs: Pick<Jobs, 'handle'>
  /** Whether other nodes may have earlier records in their spools. */
  readonly isShared: boolean
  readonly logger: Logger
}

export interface NewDeletionRequest {
  readonly type: DeletionType
  readonly selection: object
  /** The number of matching traces, if already known. */
  readonly expected?: number
  /** The input of the request hash, in addition to the time. */
  readonly hashParts: readonly string[]
}

export interface Deleting {
  /** Requests a deletion, and enqueues its job. */
  request(
    request: NewDeletionRequest,
    context: Pick<Context, 'workspace' | 'caller' | 'now'>,
  ): Promise<Deletion>
  /** Resolves when the rows are no longer in any response, or after a timeout. */
  deleted(deletion: Deletion): Promise<void>
  /** Resumes deletions that an earlier process left. */
  start(): Promise<void>
}

/** Longer than a request, a job or another node's spool takes to store what it had accepted. */
const graceMs = { alone: 60_000, shared: 20 * 60_000 }
const deletedTimeoutMs = 10_000
const deletedPollMs = 25

export function makeDeleting({ jobs, isShared, logger, ...deps }: DeletingDeps): Deleting {
  const stepDeps: StepDeps = { ...deps, graceMs: isShared ? graceMs.shared : graceMs.alone }
  const { control } = deps

  const run = async (id: string, context: JobContext): Promise<JobResult> => {
    let deletion = await control.dataDeletions.find(id)
    while (deletion?.status === 'running') {
      if (context.signal.aborted) return { type: 'again', dueAt: deps.now() }
      const { step } = progressOf(deletion)
      try {
        const result = await steps[step](stepDeps, deletion, progressOf(deletion))
        deletion = result.deletion
        await context.reportProgress({ step, deleted: deletion.counts })
        if (result.waitMs !== undefined)
          return { type: 'again', dueAt: new Date(deps.now().getTime() + result.waitMs) }
      } catch (error) {
        const described = describeError(error)
        await control.dataDeletions.noteProblem(
          id,
          `${step}: ${typeof described === 'string' ? described : described.message}`,
        )
        throw error
      }
    }
    if (deletion !== undefined) logger.info({ deletion: id, rows: deletion.counts }, 'a deletion is finished')
    return { type: 'done', result: deletion?.counts ?? null }
  }

  const kind = jobs.handle(deletionJobKind, ({ id }: { id: string }, context) => run(id, context), {
    attemptsMax: undefined,
    retryDelayMs: (failures) => Math.min(60_000, 500 * 2 ** failures),
  })
  /** Includes acknowledged traces that are not in the trace store yet. */
  async function countTraces(
    workspace: Context['workspace'],
    newSelection: Parameters<typeof selectionsOf>[0],
  ): Promise<number> {
    await workspace.settle()
    let count = 0
    for (const selection of selectionsOf(newSelection))
      count += (await deps.traceStore.countSelection(selection)).traces
    return count
  }

  const enqueue = ({ id, workspaceId }: Pick<Deletion, 'id' | 'workspaceId'>) =>
    kind.enqueue({ id }, { key: id, workspaceId })

  return {
    async request(request, { workspace, caller, now }) {
      const { type, hashParts } = request
      const selection = JSON.stringify(request.selection)
      const unsaved = { workspaceId: workspace.id, type, selection, requestedAt: now }
      const deletion = await workspace.dataDeletions.create(
        {
          type,
          selection,
          requestHash: hashOf([workspace.id, type, ...hashParts, now.toISOString()]),
          expected: request.expected ?? (await countTraces(workspace, unsaved)),
          requestedBy: caller.id,
          requestedByName: caller.name,
        },
        now,
      )
      await enqueue(deletion)
      return deletion
    },
    async deleted({ id }) {
      const until = performance.now() + deletedTimeoutMs
      while (performance.now() < until) {
        const deletion = await control.dataDeletions.find(id)
        if (deletion === undefined || deletion.doneAt !== undefined) return
        await pause(deletedPollMs)
      }
    },
    async start() {
      for (const deletion of await control.dataDeletions.running()) await enqueue(deletion)
    },
  }
}

/** Anyone who knows the request can compute the hash, but the request cannot be derived from it. */
const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
