import type { Job as JobView } from '@plumbline/contract'
import type { Job } from '@plumbline/storage/control'

/** A job without its payload, which only its handler reads. */
export const toJobView = (job: Job): JobView => ({
  id: job.id,
  kind: job.kind,
  ...(job.workspaceId === undefined ? {} : { workspaceId: job.workspaceId }),
  state: job.state,
  dueAt: job.dueAt.toISOString(),
  attempts: job.attempts,
  ...(job.attemptsMax === undefined ? {} : { attemptsMax: job.attemptsMax }),
  ...(job.lastError === undefined ? {} : { lastError: job.lastError }),
  ...(job.progress === undefined ? {} : { progress: job.progress }),
  ...(job.result === undefined ? {} : { result: job.result }),
  ...(job.leaseOwner === undefined ? {} : { node: job.leaseOwner }),
  createdAt: job.createdAt.toISOString(),
  ...(job.finishedAt === undefined ? {} : { finishedAt: job.finishedAt.toISOString() }),
})
