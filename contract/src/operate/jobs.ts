import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { AnyJson, Cursor, Instant, Limit, NamedObject, NextCursor } from '../interface/shapes.ts'

/** `failed` is a dead letter: it runs again only if someone retries it. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

export const Job = NamedObject('Job', 'A background task of the service.', {
  id: Type.String(),
  kind: Type.String({ description: 'Kind of work, such as `workspace.delete`.' }),
  workspaceId: Type.Optional(Type.String({ description: 'Absent for jobs of the whole installation.' })),
  state: Type.Enum([...jobStates], {
    description: '`failed` jobs have used all attempts, and run again only when someone retries them.',
  }),
  dueAt: Instant('When it is due; for a finished job, when it was due.'),
  attempts: Type.Integer({ description: 'Number of times it was started.' }),
  attemptsMax: Type.Optional(
    Type.Integer({ description: 'Maximum number of attempts; absent if it is retried until it succeeds.' }),
  ),
  lastError: Type.Optional(Type.String({ description: 'Why the last attempt failed; absent if none did.' })),
  progress: Type.Optional(AnyJson('Progress; the shape depends on the kind.')),
  result: Type.Optional(AnyJson('Result; the shape depends on the kind.')),
  node: Type.Optional(Type.String({ description: 'The node that runs it.' })),
  createdAt: Instant('When it was added.'),
  finishedAt: Type.Optional(Instant('When it ended; absent while it waits or runs.')),
})
export type Job = Static<typeof Job>

export const JobCounts = NamedObject('JobCounts', 'The jobs of one kind.', {
  kind: Type.String(),
  isListed: Type.Boolean({
    description: 'False for work that has its own queue, which `jobs.list` leaves out.',
  }),
  waiting: Type.Integer(),
  running: Type.Integer(),
  failed: Type.Integer({ description: 'Dead letters.' }),
  done: Type.Optional(
    Type.Integer({
      description: 'Completed in the last seven days; absent for work that has its own queue.',
    }),
  ),
  waitingSince: Type.Optional(Instant('When the first waiting job was due; absent if none is waiting.')),
})
export type JobCounts = Static<typeof JobCounts>

const id = Type.String({ description: 'Id of the job.' })
const installation = Type.Optional(
  Type.Boolean({
    description:
      'Whether to use the jobs of the whole installation instead of the workspace. Only for owners of the first workspace, and its API keys with the scope `operate`.',
  }),
)

export const list = operation({
  name: 'jobs.list',
  method: 'GET',
  path: '/jobs',
  summary: 'Lists the jobs of the workspace, or of the installation, newest first.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({
    kind: Type.Optional(Type.String({ description: 'Only jobs of this kind.' })),
    state: Type.Optional(Type.Enum([...jobStates], { description: 'Only jobs in this state.' })),
    installation,
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ jobs: Type.Array(Job), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const counts = operation({
  name: 'jobs.counts',
  method: 'GET',
  path: '/jobs/counts',
  summary: 'Counts the jobs of the workspace, or of the installation, by kind and state.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({ installation }),
  success: 200,
  output: Type.Object({ kinds: Type.Array(JobCounts) }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'jobs.get',
  method: 'GET',
  path: '/jobs/{id}',
  summary: 'Returns one job.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({ job: Job }),
  errors: ['job_not_found'],
})

export const retry = operation({
  name: 'jobs.retry',
  method: 'POST',
  path: '/jobs/{id}/retry',
  summary: 'Runs a failed or cancelled job again, with new attempts.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({
    job: Job,
    retried: Type.Boolean({
      description: 'False if it had not failed, or if another job now does the same.',
    }),
  }),
  errors: ['job_not_found'],
})

export const cancel = operation({
  name: 'jobs.cancel',
  method: 'POST',
  path: '/jobs/{id}/cancel',
  summary:
    'Cancels a job. A running job is interrupted, and what it has done so far stays. Scheduled work runs again at its next scheduled time.',
  scope: 'operate',
  role: 'owner',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({
    job: Job,
    cancelled: Type.Boolean({ description: 'False if it had already ended.' }),
  }),
  errors: ['job_not_found'],
})
