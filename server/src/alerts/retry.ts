import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

/** `onTold` is told when there may be messages to send. */
export const makeRetry =
  (onTold: () => void): Verb<typeof operations.alerts.retry> =>
  async ({ id }, { workspace, now }) => {
    const retried = await changing(workspace.alertEvents.retry(id, now))
    if (retried) onTold()
    return { retried }
  }
