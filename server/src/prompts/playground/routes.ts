import { operations } from '@plumbline/contract'
import type { OpenModel } from '../../outbound/connections/models.ts'
import { type Route, route } from '../../requests/verb.ts'
import { makeRun } from './run.ts'

export const playgroundRoutes = (openModel: OpenModel): Route[] => [
  route(operations.playground.run, makeRun(openModel)),
]
