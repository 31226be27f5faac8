import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findQueue, viewQueue } from './view.ts'

export const get: Verb<typeof operations.annotationQueues.get> = async ({ id }, context) => ({
  queue: await viewQueue(await findQueue(id, context.workspace), context),
})
