import type { WorkspaceControlStore } from '@plumbline/storage/control'

/** An alert that fires. */
interface Firing {
  readonly workspaceId: string
  readonly alertId: string
}

interface Parts {
  readonly storeOf: (workspaceId: string) => Pick<WorkspaceControlStore, 'rollouts' | 'alerts'>
  /** Told that what is kept in memory of a workspace is old. */
  readonly forget: (workspaceId: string) => void
  readonly now: () => Date
}

/**
 * What follows of an alert that fires: every running rollout that names it is rolled back. A firing may be told twice,
 * and on two nodes; the control plane lets only the first end a rollout, and moves the revision by which other nodes
 * forget what they serve.
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
