import type { Evaluator } from '@plumbline/contract'
import type { Evaluator as StoredEvaluator } from '@plumbline/storage/control'

import { readLiveRule } from './live-rule.ts'

/** An evaluator as the interface shows it. */
export const toEvaluator = ({
  slug,
  name,
  kind,
  config,
  sampleRate,
  liveRule,
  version,
  createdAt,
}: StoredEvaluator): Evaluator => ({
  slug,
  name,
  // Safe: the contract's schema admits only these kinds, and only objects as their configuration.
  kind: kind as Evaluator['kind'],
  config: JSON.parse(config) as Evaluator['config'],
  sampleRate,
  liveRule: liveRule === undefined ? null : readLiveRule(liveRule),
  version,
  createdAt: createdAt.toISOString(),
})
