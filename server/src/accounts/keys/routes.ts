import { operations } from '@plumbline/contract'
import type { EndedKeys } from '../../process/foundation.ts'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as revoke } from './delete.ts'
import { list } from './list.ts'

export const keyRoutes = (onEnded: (keys: EndedKeys) => void): Route[] => [
  route(operations.keys.list, list),
  route(operations.keys.create, create),
  route(operations.keys.delete, revoke(onEnded)),
]
