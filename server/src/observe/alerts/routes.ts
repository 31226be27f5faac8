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
  /** Says that an alert may be due. */
  notify(): void
  /** Says that a message may be due. */
  onNotification(): void
}

export const alertRoutes = ({ notify, onNotification }: AlertParts): Route[] => {
  // A change can resolve an alert, which is told at once.
  const onChanged = (): void => {
    notify()
    onNotification()
  }
  return [
    route(operations.alerts.list, list),
    route(operations.alerts.get, get),
    route(operations.alerts.create, makeCreate(notify)),
    route(operations.alerts.update, makeUpdate(onChanged)),
    route(operations.alerts.delete, makeDelete(onNotification)),
    route(operations.alerts.preview, preview),
    route(operations.alerts.history, history),
    route(operations.alerts.retry, makeRetry(onNotification)),
  ]
}
