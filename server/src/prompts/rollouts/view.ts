import type { Rollout } from '@plumbline/contract'
import type { Rollout as StoredRollout } from '@plumbline/storage/control'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Rollouts as the interface returns them, with the names of the users who started, changed and ended them. */
export async function toRollouts(
  rows: readonly StoredRollout[],
  { members }: Pick<Workspace, 'members'>,
): Promise<Rollout[]> {
  const names = await members.names([
    ...new Set(
      rows.flatMap(({ createdBy, endedBy, shares }) =>
        [createdBy, endedBy, ...shares.map(({ changedBy }) => changedBy)].filter((id) => id !== undefined),
      ),
    ),
  ])
  return rows.map((rollout) => toRollout(rollout, names))
}

/** One rollout, in the form of a response. */
export const answerOf = async (row: StoredRollout, workspace: Workspace): Promise<{ rollout: Rollout }> => ({
  rollout: (await toRollouts([row], workspace))[0]!,
})

function toRollout(row: StoredRollout, names: ReadonlyMap<string, string>): Rollout {
  const { id, promptSlug, tag, baselineVersion, candidateVersion, share, status, alertIds } = row
  const { reason, createdAt, createdBy, endedAt, endedBy, endedByAlertId } = row
  return {
    id,
    promptSlug,
    tag,
    baselineVersion,
    candidateVersion,
    share,
    shares: row.shares.map(({ share: had, changedAt, changedBy }) => ({
      share: had,
      changedAt: changedAt.toISOString(),
      ...(changedBy === undefined ? {} : { changedBy, ...nameField(names, 'changedByName', changedBy) }),
    })),
    status,
    alertIds,
    ...(reason === '' ? {} : { reason }),
    createdAt: createdAt.toISOString(),
    ...(createdBy === undefined ? {} : { createdBy, ...nameField(names, 'createdByName', createdBy) }),
    ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
    ...(endedBy === undefined ? {} : { endedBy, ...nameField(names, 'endedByName', endedBy) }),
    ...(endedByAlertId === undefined ? {} : { endedByAlertId }),
  }
}
