import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkConfig } from './check-config.ts'
import { toEvaluator } from './view.ts'

export const update: Verb<typeof operations.evaluators.update> = async (
  { slug, name, kind, config, sampleRate },
  { workspace, caller, now },
) => {
  if (kind != null || config != null) {
    const [stored] = await workspace.evaluators.findMany([slug])
    if (stored === undefined) throw new ServiceError('evaluator_not_found', { slug })
    const before = toEvaluator(stored)
    await checkConfig(kind ?? before.kind, config ?? before.config, workspace)
  }
  const change = {
    name: name ?? undefined,
    kind: kind ?? undefined,
    config: config == null ? undefined : JSON.stringify(config),
    sampleRate: sampleRate ?? undefined,
    by: caller.id,
  }
  return { evaluator: toEvaluator(await mapStorageErrors(workspace.evaluators.update(slug, change, now))) }
}
