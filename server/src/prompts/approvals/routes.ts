import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { configure } from './configure.ts'
import { create } from './create.ts'
import { decide } from './decide.ts'
import { list } from './list.ts'
import { tags } from './tags.ts'

export const approvalRoutes: Route[] = [
  route(operations.approvals.tags, tags),
  route(operations.approvals.configure, configure),
  route(operations.approvals.list, list),
  route(operations.approvals.create, create),
  route(operations.approvals.decide, decide),
]
