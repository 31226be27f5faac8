import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkConfig } from './check-config.ts'
import { writeLiveRule } from './live-rule.ts'
import { toEvaluator } from './view.ts'

export const update: Verb<typeof operations.evaluators.update> = async (
  { slug, name, kind, config, sampleRate, liveRule },
  { workspace, caller, now },
) => {
  let nextRule: string | null | undefined = liveRule === null ? null : undefined
  if (kind != null || config != null || liveRule != null) {
    const [evaluator] = await workspace.evaluators.findMany([slug])
    if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
    const before = toEvaluator(evaluator)
    const nextKind = kind ?? before.kind
    if (kind != null || config != null) await checkConfig(nextKind, config ?? before.config, workspace)
    // People judge in queues: another kind must not keep the rule.
    if (liveRule !== null && (liveRule ?? before.liveRule) !== null)
      nextRule = writeLiveRule((liveRule ?? before.liveRule)!, nextKind)
  }
  const change = {
    name: name ?? undefined,
    kind: kind ?? undefined,
    config: config == null ? undefined : JSON.stringify(config),
    sampleRate: sampleRate ?? undefined,
    liveRule: nextRule,
    changedBy: caller.id,
  }
  return { evaluator: toEvaluator(await mapStorageErrors(workspace.evaluators.update(slug, change, now))) }
}
