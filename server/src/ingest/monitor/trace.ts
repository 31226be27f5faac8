import {
  evaluatorReferencesMax,
  type InputOf,
  invalid,
  type operations,
  ServiceError,
} from '@plumbline/contract'
import { newId } from '../../id.ts'
import { TimeSlice } from '../../json/time-slice.ts'
import type { Verb } from '../../requests/verb.ts'
import type { WorkspaceCache } from '../../workspace/workspace-cache.ts'
import { checkTrace } from './check-trace.ts'
import type { ServedPrompt } from './record.ts'
import { resolveEvaluators, resolveFeature, resolvePrompt } from './resolve.ts'
import { storedByEarlierAttempt, traceResponse } from './retry.ts'
import { isSampled, samplingOf } from './sample.ts'
import { warningText } from './warning-text.ts'

type TraceInput = InputOf<typeof operations.monitor.trace>

/** Records a trace. Unknown prompts and evaluators give warnings; only the feature and the experiment must exist. */
export const trace: Verb<typeof operations.monitor.trace> = async (input, context) => {
  const { workspace, caller, now, claimedIds } = context
  const earlier = await storedByEarlierAttempt(claimedIds, workspace)
  if (earlier !== undefined) return traceResponse(earlier.trace.traceId, earlier.trace.warning)
  const { cache } = workspace
  const warnings = await checkTrace(input, now)
  const featureSlug = await resolveFeature(input, cache)
  const experimentId = input.experiment?.id
  if (experimentId !== undefined && !(await cache.hasExperiment(experimentId))) {
    throw new ServiceError('experiment_not_found', { id: experimentId })
  }
  const prompts = await resolvePrompts(input, cache, warnings)
  const references = referencesOf(input)
  const evaluators = await resolveEvaluators(references, cache)

  const traceId = claimedIds?.traceId ?? newId(now)
  const sampling = samplingOf({
    sampleRate: input.evaluationConfig?.sampleRate ?? input.evaluationConfig?.sample_rate ?? undefined,
    evaluatorRates: evaluators.rates,
    isInExperiment: experimentId !== undefined,
    hasReferences: references.size > 0,
  })
  const warning = warningText([...warnings, ...evaluators.warnings])
  const { accepted } = await workspace.recorder.append(
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
  // As stored: the response is also kept for retries.
  return traceResponse(traceId, accepted.warning)
}

/** The served versions by position of their log; adds a warning for each that cannot be resolved. */
async function resolvePrompts(
  { logs, user }: TraceInput,
  cache: WorkspaceCache,
  warnings: string[],
): Promise<Record<number, ServedPrompt>> {
  const prompts: Record<number, ServedPrompt> = {}
  if (logs == null) return prompts
  const slice = new TimeSlice()
  for (let index = 0; index < logs.length; index++) {
    if (slice.isOver) await slice.next()
    const log = logs[index]!
    if (log.type !== 'generation' || log.prompt == null) continue
    const use = { needsTemplate: log.input == null, userId: userIdIn(user) }
    const { servedPrompt, warning } = await resolvePrompt(log.prompt, use, cache)
    if (servedPrompt !== undefined) prompts[index] = servedPrompt
    if (warning !== undefined) warnings.push(`logs[${index}].prompt: ${warning}`)
  }
  return prompts
}

/** The id of the user; old clients send an empty object for no user. */
export const userIdIn = (user: TraceInput['user']): string | undefined =>
  user != null && 'id' in user ? user.id : undefined

function referencesOf({ evaluators, logs }: TraceInput): Set<string> {
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
