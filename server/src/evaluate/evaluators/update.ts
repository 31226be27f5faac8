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

/** Undefined where another request has changed what this one was checked against: then it is checked again. */
const unlessChanged = (update: Promise<Evaluator>): Promise<Evaluator | undefined> =>
  update.catch((error: unknown) => {
    if (error instanceof VersionConflict) return undefined
    throw error
  })

/** The live rule of a change, and the evaluator that allows it, where what is to change depends on what is there. */
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
  // People judge in queues: another kind must not keep the rule.
  const ruleText = nextRule === null ? null : writeLiveRule(nextRule, nextKind)
  return { liveRule: liveRule === undefined ? undefined : ruleText, previous: evaluator }
}
