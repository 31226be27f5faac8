import { type InputOf, type operations, ServiceError } from '@plumbline/contract'
import { type Evaluator, type EvaluatorChange, VersionConflict } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { checkConfig } from './check-config.ts'
import { writeLiveRule } from './live-rule.ts'
import { toEvaluator } from './view.ts'

type Input = InputOf<typeof operations.evaluators.update>

export const update: Verb<typeof operations.evaluators.update> = async (
  input,
  { workspace, caller, now },
) => {
  const { slug, name, kind, config, sampleRate } = input
  for (;;) {
    const change = {
      name: name ?? undefined,
      kind: kind ?? undefined,
      config: config == null ? undefined : JSON.stringify(config),
      sampleRate: sampleRate ?? undefined,
      ...(await readChecked(input, workspace)),
      changedBy: caller.id,
    }
    const updated = await mapStorageErrors(unlessChanged(workspace.evaluators.update(slug, change, now)))
    if (updated !== undefined) return { evaluator: toEvaluator(updated) }
  }
}

/** Undefined if another request changed the evaluator after this one was checked: then it is checked again. */
const unlessChanged = (update: Promise<Evaluator>): Promise<Evaluator | undefined> =>
  update.catch((error: unknown) => {
    if (error instanceof VersionConflict) return undefined
    throw error
  })

/** Checks a change against the stored evaluator, if it depends on it; returns the live rule and that evaluator. */
async function readChecked(
  { slug, kind, config, liveRule }: Input,
  workspace: Workspace,
): Promise<Pick<EvaluatorChange, 'liveRule' | 'previous'>> {
  if (kind == null && config == null && liveRule == null) return { liveRule }
  const [evaluator] = await workspace.evaluators.findMany([slug])
  if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
  const before = toEvaluator(evaluator)
  const nextKind = kind ?? before.kind
  if (kind != null || config != null) await checkConfig(nextKind, config ?? before.config, workspace)
  const nextRule = liveRule === undefined ? before.liveRule : liveRule
  // A `human` evaluator has no live rule, so a change to that kind must not keep one.
  const ruleText = nextRule === null ? null : writeLiveRule(nextRule, nextKind)
  return { liveRule: liveRule === undefined ? undefined : ruleText, previous: evaluator }
}
