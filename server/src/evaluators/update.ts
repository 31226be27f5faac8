import type { operations } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { toEvaluator } from './view.ts'

export const update: Verb<typeof operations.evaluators.update> = async (
  { slug, name, kind, config, sampleRate },
  { workspace, now },
) => {
  const change = {
    name: name ?? undefined,
    kind: kind ?? undefined,
    config: config == null ? undefined : JSON.stringify(config),
    sampleRate: sampleRate ?? undefined,
  }
  return { evaluator: toEvaluator(await changing(workspace.evaluators.update(slug, change, now))) }
}
