import { productionTag } from '@plumbline/contract'
import type { RunningRollout } from '@plumbline/storage/control'

/** The rollout that who asks so takes part in: that of the tag. Who names a version gets it, whatever is rolled out. */
export const rolloutOf = (
  rollouts: readonly RunningRollout[],
  request: { readonly version?: string | null | undefined; readonly tag?: string | null | undefined },
): RunningRollout | undefined =>
  request.version ? undefined : rollouts.find(({ tag }) => tag === (request.tag || productionTag))
