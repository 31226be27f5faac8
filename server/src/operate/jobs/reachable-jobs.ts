/** The jobs that a caller may see: operators those of the installation, others those of their workspace. */
import { ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId, type Job, type JobQueue } from '@plumbline/storage/control'
import { isOperator } from '../../requests/permissions.ts'
import type { Caller, Context } from '../../requests/verb.ts'

/** The operations that are available for a workspace's jobs as well as for the installation's. */
export type ReachableJobs = Pick<JobQueue, 'list' | 'find' | 'counts' | 'otherCounts' | 'retry' | 'cancel'>

/** The jobs that the caller requests; throws `forbidden` if only operators may see them. */
export function jobsOf(
  queue: JobQueue,
  { workspace, caller }: Pick<Context, 'workspace' | 'caller'>,
  isOfInstallation: boolean | undefined,
): ReachableJobs {
  if (isOfInstallation !== true) return workspace.jobs
  if (mayOperate(caller)) return queue
  throw new ServiceError('forbidden', {
    problem:
      'Only owners of the first workspace, and its API keys with the scope "operate", see the jobs of the installation.',
  })
}

/** A job that the caller may see, and the queue to change it in; throws `job_not_found`. */
export async function findReachable(
  queue: JobQueue,
  { workspace, caller }: Pick<Context, 'workspace' | 'caller'>,
  id: string,
): Promise<{ job: Job; jobs: ReachableJobs }> {
  const jobs = mayOperate(caller) ? queue : workspace.jobs
  const job = await jobs.find(id)
  if (job === undefined) throw new ServiceError('job_not_found', { id })
  return { job, jobs }
}

/** The operation's scope has been checked. */
const mayOperate = ({ session, workspaceId }: Caller): boolean =>
  session === undefined ? workspaceId === defaultWorkspaceId : isOperator(session.memberships)
