import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { makeCreate, type ReplayDeps } from './create.ts'

export const replayRoutes = (deps: ReplayDeps): Route[] => [
  route(operations.replays.create, makeCreate(deps)),
]
