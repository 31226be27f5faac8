import { defaultSampleRate, type operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkConfig } from './check-config.ts'
import { writeLiveRule } from './live-rule.ts'
import { toEvaluator } from './view.ts'

export const create: Verb<typeof operations.evaluators.create> = async (
  input,
  { workspace, caller, now },
) => {
  const { slug, name, kind } = input
  await checkConfig(kind, input.config, workspace)
  const config = JSON.stringify(input.config)
  const liveRule = input.liveRule == null ? undefined : writeLiveRule(input.liveRule, kind)
  const created = workspace.evaluators.create(
    {
      slug,
      name,
      kind,
      config,
      sampleRate: input.sampleRate ?? defaultSampleRate,
      liveRule,
      createdBy: caller.id,
    },
    now,
  )
  return { evaluator: toEvaluator(await mapConflict('evaluator', slug, created)) }
}
