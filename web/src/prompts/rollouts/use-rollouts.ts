import type { Rollout } from '@plumbline/sdk'
import { type OperationName, useRead } from '../../app/api.ts'

/** The responses that are stale after a rollout has started, changed or ended. */
export const changedByRollouts: readonly OperationName[] = [
  'rollouts.list',
  'rollouts.compare',
  'versions.list',
  'prompts.history',
  'prompts.list',
  'prompts.describe',
]

const refreshMs = 10_000
const noRollouts: readonly Rollout[] = []

/** The rollouts that run now, of one prompt or of all. */
export const useRunningRollouts = (promptSlug?: string): readonly Rollout[] =>
  useRead(
    'rollouts.list',
    { status: 'running', limit: 1000, ...(promptSlug !== undefined && { promptSlug }) },
    { refreshMs },
  ).data?.rollouts ?? noRollouts
