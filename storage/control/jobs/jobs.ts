/** The jobs of one workspace. */
import type { WorkspaceDb } from '../store/workspace.ts'
import { cancelJob, countJobs, findJob, type JobFilters, listJobs, retryJob } from './job-list.ts'
import { countOtherQueues } from './other-queues.ts'

export const list = ({ sql, workspaceId }: WorkspaceDb, filters: JobFilters) =>
  listJobs(sql, workspaceId, filters)

export const find = ({ sql, workspaceId }: WorkspaceDb, id: string) => findJob(sql, workspaceId, id)

export const counts = ({ sql, workspaceId }: WorkspaceDb) => countJobs(sql, workspaceId)

export const otherCounts = ({ sql, workspaceId }: WorkspaceDb) => countOtherQueues(sql, workspaceId)

export const retry = ({ sql, workspaceId }: WorkspaceDb, id: string, now: Date) =>
  retryJob(sql, workspaceId, id, now)

export const cancel = ({ sql, workspaceId }: WorkspaceDb, id: string, now: Date) =>
  cancelJob(sql, workspaceId, id, now)
