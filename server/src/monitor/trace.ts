import {
  evaluatorReferencesMax,
  type InputOf,
  invalid,
  type operations,
  ServiceError,
} from '@plumbline/contract'
import { newId } from '../id.ts'
import { TimeSlice } from '../time-slice.ts'
import type { Verb } from '../verb.ts'
import type { WorkspaceCache } from '../workspace-cache.ts'
import { checkTrace } from './check-trace.ts'
import type { ServedPrompt } from './record.ts'
import { resolveEvaluators, resolveFeature, resolvePrompt } from './resolve.ts'
import { storedByEarlierAttempt, traceAnswer } from './retry.ts'
import { isSampled, samplingOf } from './sample.ts'
import { warningText } from './warning-text.ts'

type Sent = InputOf<typeof operations.monitor.trace>

/** Records a trace: what is unknown is warned of, and only what the interface names is refused. */
export const trace: Verb<typeof operations.monitor.trace> = async (sent, context) => {
  const { workspace, caller, now, claimedIds } = context
  const earlier = await storedByEarlierAttempt(claimedIds, workspace)
  if (earlier !== undefined) return traceAnswer(earlier.trace.traceId, earlier.trace.warning)
  const { catalogue } = workspace
  const warnings = await checkTrace(sent)
  const featureSlug = await resolveFeature(sent, catalogue)
  const experimentId = sent.experiment?.id
  if (experimentId !== undefined && !(await catalogue.hasExperiment(experimentId))) {
    throw new ServiceError('experiment_not_found', { id: experimentId })
  }
  const prompts = await resolvePrompts(sent, catalogue, warnings)
  const references = referencesOf(sent)
  const evaluators = await resolveEvaluators(references, catalogue)

  const traceId = claimedIds?.traceId ?? newId(now)
  const sampling = samplingOf({
    sampleRate: sent.evaluationConfig?.sampleRate ?? sent.evaluationConfig?.sample_rate ?? undefined,
    evaluatorRates: evaluators.rates,
    isInExperiment: experimentId !== undefined,
    hasReferences: references.size > 0,
  })
  const warning = warningText([...warnings, ...evaluators.warnings])
  await workspace.recorder.append(
    {
      type: 'trace',
      workspaceId: workspace.id,
      apiKeyId: caller.id,
      receivedAtMs: now.getTime(),
      traceId,
      featureSlug,
      isSampled: isSampled(traceId, sampling.sampleRate),
      ...sampling,
      warning,
      prompts,
    },
    context.body,
  )
  return traceAnswer(traceId, warning)
}

/** The versions served, by the position of their log; what could not be resolved is warned of. */
async function resolvePrompts(
  { logs, user }: Sent,
  catalogue: WorkspaceCache,
  warnings: string[],
): Promise<Record<number, ServedPrompt>> {
  const prompts: Record<number, ServedPrompt> = {}
  if (logs == null) return prompts
  const slice = new TimeSlice()
  for (let at = 0; at < logs.length; at++) {
    if (slice.isOver) await slice.next()
    const log = logs[at]!
    if (log.type !== 'generation' || log.prompt == null) continue
    const use = { needsTemplate: log.input == null, userId: userIdIn(user) }
    const { served, warning } = await resolvePrompt(log.prompt, use, catalogue)
    if (served !== undefined) prompts[at] = served
    if (warning !== undefined) warnings.push(`logs[${at}].prompt: ${warning}`)
  }
  return prompts
}

/** An empty object in place of a user is what old clients send for none. */
export const userIdIn = (user: Sent['user']): string | undefined =>
  user != null && 'id' in user ? user.id : undefined

function referencesOf({ evaluators, logs }: Sent): Set<string> {
  const slugs = new Set<string>()
  for (const { slug } of evaluators ?? []) slugs.add(slug)
  for (const log of logs ?? []) for (const { slug } of log.evaluators ?? []) slugs.add(slug)
  if (slugs.size > evaluatorReferencesMax)
    throw invalid(
      'logs',
      `must name at most ${evaluatorReferencesMax} different evaluators, with those of the trace`,
    )
  return slugs
}
