import { operations } from '@plumbline/contract'
import type { Foundation } from '../../process/foundation.ts'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'

export const capacityRoutes = (foundation: Pick<Foundation, 'spool' | 'dataFolder' | 'config'>): Route[] => [
  route(operations.capacity.get, get(foundation)),
]
