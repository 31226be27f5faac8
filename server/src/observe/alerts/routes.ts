import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { makeCreate } from './create.ts'
import { makeDelete } from './delete.ts'
import { get } from './get.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { preview } from './preview.ts'
import { makeRetry } from './retry.ts'
import { makeUpdate } from './update.ts'

export interface AlertParts {
  /** Signals that a check or a notification may be due. */
  notify(): void
}

export const alertRoutes = ({ notify }: AlertParts): Route[] => {
  return [
    route(operations.alerts.list, list),
    route(operations.alerts.get, get),
    route(operations.alerts.create, makeCreate(notify)),
    route(operations.alerts.update, makeUpdate(notify)),
    route(operations.alerts.delete, makeDelete(notify)),
    route(operations.alerts.preview, preview),
    route(operations.alerts.history, history),
    route(operations.alerts.retry, makeRetry(notify)),
  ]
}
