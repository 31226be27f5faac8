import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { create } from './create.ts'

export const scoreRoutes: Route[] = [route(operations.scores.create, create)]
