import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import type { Judge } from '../evaluations/judge.ts'
import { agreement } from './agreement.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { estimate } from './estimate.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { sampling } from './sampling.ts'
import { templates } from './templates.ts'
import { makeTest } from './test.ts'
import { update } from './update.ts'
import { versions } from './versions.ts'

export const evaluatorRoutes = (judge: Judge): Route[] => [
  route(operations.evaluators.list, list),
  route(operations.evaluators.templates, templates),
  route(operations.evaluators.create, create),
  route(operations.evaluators.get, get),
  route(operations.evaluators.versions, versions),
  route(operations.evaluators.sampling, sampling),
  route(operations.evaluators.update, update),
  route(operations.evaluators.delete, remove),
  route(operations.evaluators.agreement, agreement),
  route(operations.evaluators.test, makeTest(judge)),
  route(operations.evaluators.estimate, estimate),
]
