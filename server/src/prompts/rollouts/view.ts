import type { Rollout } from '@plumbline/contract'
import type { Rollout as StoredRollout } from '@plumbline/storage/control'
import { namedIn } from '../../workspace/named-in.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Rollouts as the interface shows them, with the names of who began, changed and ended them. */
export async function toRollouts(
  stored: readonly StoredRollout[],
  { members }: Pick<Workspace, 'members'>,
): Promise<Rollout[]> {
  const names = await members.names([
    ...new Set(
      stored.flatMap(({ createdBy, endedBy, shares }) =>
        [createdBy, endedBy, ...shares.map(({ changedBy }) => changedBy)].filter((id) => id !== undefined),
      ),
    ),
  ])
  return stored.map((rollout) => toRollout(rollout, names))
}

/** One rollout, as an answer has it. */
export const answerOf = async (
  stored: StoredRollout,
  workspace: Workspace,
): Promise<{ rollout: Rollout }> => ({ rollout: (await toRollouts([stored], workspace))[0]! })

function toRollout(stored: StoredRollout, names: ReadonlyMap<string, string>): Rollout {
  const { id, promptSlug, tag, baselineVersion, candidateVersion, share, status, alertIds } = stored
  const { reason, createdAt, createdBy, endedAt, endedBy, endedByAlertId } = stored
  return {
    id,
    promptSlug,
    tag,
    baselineVersion,
    candidateVersion,
    share,
    shares: stored.shares.map(({ share: had, changedAt, changedBy }) => ({
      share: had,
      changedAt: changedAt.toISOString(),
      ...(changedBy === undefined ? {} : { changedBy, ...namedIn(names, 'changedByName', changedBy) }),
    })),
    status,
    alertIds,
    ...(reason === '' ? {} : { reason }),
    createdAt: createdAt.toISOString(),
    ...(createdBy === undefined ? {} : { createdBy, ...namedIn(names, 'createdByName', createdBy) }),
    ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
    ...(endedBy === undefined ? {} : { endedBy, ...namedIn(names, 'endedByName', endedBy) }),
    ...(endedByAlertId === undefined ? {} : { endedByAlertId }),
  }
}
