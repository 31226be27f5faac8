import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'

/** `onTold` is told when there may be messages to send. */
export const makeDelete =
  (onTold: () => void): Verb<typeof operations.alerts.delete> =>
  async ({ id }, { workspace, now }) => {
    await changing(workspace.alerts.remove(id, now))
    onTold()
    return undefined
  }
