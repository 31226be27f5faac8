import type { Evaluator } from '@plumbline/contract'
import type { Evaluator as StoredEvaluator } from '@plumbline/storage/control'

/** An evaluator as the interface shows it. */
export const toEvaluator = ({
  slug,
  name,
  kind,
  config,
  sampleRate,
  version,
  createdAt,
}: StoredEvaluator): Evaluator => ({
  slug,
  name,
  // Safe: the contract's schema let only these kinds, and only objects as their configuration, in.
  kind: kind as Evaluator['kind'],
  config: JSON.parse(config) as Evaluator['config'],
  sampleRate,
  version,
  createdAt: createdAt.toISOString(),
})
