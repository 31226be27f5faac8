import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

/** `onNotification` is called when there may be messages to send. */
export const makeDelete =
  (onNotification: () => void): Verb<typeof operations.alerts.delete> =>
  async ({ id }, { workspace, now }) => {
    await mapStorageErrors(workspace.alerts.remove(id, now))
    onNotification()
    return undefined
  }
