import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { archive } from './archive.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { describe } from './describe.ts'
import { diff } from './diff.ts'
import { get } from './get.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { publish } from './publish.ts'
import { restore } from './restore.ts'
import { update } from './update.ts'
import { usage } from './usage.ts'

export const promptRoutes: Route[] = [
  route(operations.prompts.list, list),
  route(operations.prompts.get, get),
  route(operations.prompts.describe, describe),
  route(operations.prompts.create, create),
  route(operations.prompts.publish, publish),
  route(operations.prompts.archive, archive),
  route(operations.prompts.delete, remove),
  route(operations.prompts.history, history),
  route(operations.prompts.diff, diff),
  route(operations.prompts.update, update),
  route(operations.prompts.restore, restore),
  route(operations.prompts.usage, usage),
]
