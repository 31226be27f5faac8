import { operations } from '@plumbline/contract'
import type { JobQueue } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { cancel } from './cancel.ts'
import { counts } from './counts.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { retry } from './retry.ts'

export const jobRoutes = (queue: JobQueue, notify: () => void): Route[] => [
  route(operations.jobs.list, list(queue)),
  route(operations.jobs.counts, counts(queue)),
  route(operations.jobs.get, get(queue)),
  route(operations.jobs.retry, retry(queue, notify)),
  route(operations.jobs.cancel, cancel(queue)),
]
