import type { WorkspaceControlStore } from '@plumbline/storage/control'

/** A firing alert. */
interface Firing {
  readonly workspaceId: string
  readonly alertId: string
}

interface Parts {
  readonly storeOf: (workspaceId: string) => Pick<WorkspaceControlStore, 'rollouts' | 'alerts'>
  /** Invalidates cached data of a workspace. */
  readonly forget: (workspaceId: string) => void
  readonly now: () => Date
}

/**
 * Rolls back every running rollout that names a firing alert. A firing may be reported twice, and on two nodes; the control
 * plane lets only the first one end a rollout, and increments the revision that invalidates the caches of other nodes.
 */
export const makeRollBackOnAlert =
  ({ storeOf, forget, now }: Parts) =>
  async ({ workspaceId, alertId }: Firing): Promise<void> => {
    const { rollouts, alerts } = storeOf(workspaceId)
    const alert = await alerts.find(alertId)
    const reason = `The alert ${JSON.stringify(alert?.name ?? alertId)} fired.`
    const ended = await rollouts.rollBackByAlert({ alertId, reason }, now())
    if (ended.length > 0) forget(workspaceId)
  }
