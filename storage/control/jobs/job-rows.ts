/** Job types, and the mapping of rows to jobs. */

import type { JobState } from '@plumbline/contract'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

export type Job = {
  id: string
  /** Undefined for a job of the installation. */
  workspaceId: string | undefined
  kind: string
  key: string | undefined
  concurrencyGroup: string
  payload: JsonValue
  state: JobState
  dueAt: Date
  attempts: number
  /** Undefined if it is retried forever. */
  attemptsMax: number | undefined
  leaseOwner: string | undefined
  leaseExpiresAt: Date | undefined
  lastError: string | undefined
  progress: JsonValue | undefined
  result: JsonValue | undefined
  createdAt: Date
  finishedAt: Date | undefined
}

export type NewJob = {
  /** Generated if absent. */
  readonly id?: string
  readonly workspaceId: string | undefined
  readonly kind: string
  readonly payload: JsonValue
  /** While a job of this kind with the same key is unfinished or failed, no other is added. */
  readonly key?: string
  readonly concurrencyGroup?: string
  /** Jobs of one sequence run one after another, in ascending position. */
  readonly sequence?: string
  readonly position?: number
  /** Now if absent. */
  readonly dueAt?: Date
  readonly attemptsMax: number | undefined
}

export type JobRow = {
  id: string
  workspace_id: string | null
  kind: string
  job_key: string | null
  concurrency_group: string
  payload: string
  state: JobState
  due_at: number
  attempts: number
  attempts_max: number | null
  lease_owner: string
  lease_expires_at: number | null
  last_error: string | null
  progress: string | null
  result: string | null
  created_at: number
  finished_at: number | null
}

export const toJob = (row: JobRow): Job => ({
  id: row.id,
  workspaceId: row.workspace_id ?? undefined,
  kind: row.kind,
  key: row.job_key ?? undefined,
  concurrencyGroup: row.concurrency_group,
  payload: readJson(row.payload),
  state: row.state,
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  attemptsMax: row.attempts_max ?? undefined,
  leaseOwner: row.lease_owner === '' ? undefined : row.lease_owner,
  leaseExpiresAt: row.lease_expires_at === null ? undefined : new Date(row.lease_expires_at),
  lastError: row.last_error ?? undefined,
  progress: row.progress === null ? undefined : readJson(row.progress),
  result: row.result === null ? undefined : readJson(row.result),
  createdAt: new Date(row.created_at),
  finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
})

/** Safe: only this folder writes these columns, with `JSON.stringify`. */
const readJson = (text: string): JsonValue => JSON.parse(text) as JsonValue
