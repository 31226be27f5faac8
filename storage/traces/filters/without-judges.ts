import { judgesFeature } from '@plumbline/contract'
import type { StoreCondition } from '../types.ts'

/** Leaves out judge calls, unless a condition names their feature. */
export const withoutJudges = (where: readonly StoreCondition[] = []): string[] =>
  where.some(({ field, is }) => field === 'feature' && is?.includes(judgesFeature) === true)
    ? []
    : [`ifNull(feature_slug, '') != '${judgesFeature}'`]
