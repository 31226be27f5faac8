import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

/** `onNotification` is called when there may be messages to send. */
export const makeRetry =
  (onNotification: () => void): Verb<typeof operations.alerts.retry> =>
  async ({ id }, { workspace, now }) => {
    const retried = await mapStorageErrors(workspace.alertEvents.retry(id, now))
    if (retried) onNotification()
    return { retried }
  }
