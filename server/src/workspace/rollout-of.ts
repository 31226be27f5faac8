import { productionTag } from '@plumbline/contract'
import type { RunningRollout } from '@plumbline/storage/control'

/**
 * The rollout that a request takes part in: that of its tag. A request for a version gets that version, whatever is being
 * rolled out.
 */
export const rolloutOf = (
  rollouts: readonly RunningRollout[],
  request: { readonly version?: string | null | undefined; readonly tag?: string | null | undefined },
): RunningRollout | undefined =>
  request.version ? undefined : rollouts.find(({ tag }) => tag === (request.tag || productionTag))
