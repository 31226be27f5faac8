import type { operations } from '@plumbline/contract'
import { newId } from '../../id.ts'
import { microsOf } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkNumbers } from '../usage/check-numbers.ts'
import { checkTimes } from './check-trace.ts'
import { resolvePrompt } from './resolve.ts'
import { storedByEarlierAttempt, traceResponse } from './retry.ts'
import { userIdIn } from './trace.ts'
import { warningOfTimes } from './trace-times.ts'
import { warningText } from './warning-text.ts'

/** Records one prompt output as a trace with one generation, which belongs to the prompt's feature. */
export const log: Verb<typeof operations.monitor.log> = async (input, context) => {
  const { workspace, caller, now, claimedIds } = context
  const earlier = await storedByEarlierAttempt(claimedIds, workspace)
  if (earlier !== undefined) {
    return {
      ...traceResponse(earlier.trace.traceId, earlier.trace.warning),
      log: { id: earlier.logs[0]!.logId },
    }
  }
  const warnings = [...warningOfTimes(checkTimes(input, ''), [], microsOf(now)), ...checkNumbers(input, '')]
  const use = { needsTemplate: input.input == null, userId: userIdIn(input.user) }
  const resolved = await resolvePrompt(input, use, workspace.cache)
  if (resolved.warning !== undefined) warnings.push(resolved.warning)
  const feature = (await workspace.cache.prompt(input.slug))?.featureSlug ?? null

  const traceId = claimedIds?.traceId ?? newId(now)
  const logId = newId(now)
  const warning = warningText(warnings)
  const { accepted } = await workspace.recorder.append(
    {
      type: 'log',
      workspaceId: workspace.id,
      apiKeyId: caller.id,
      receivedAtMs: now.getTime(),
      traceId,
      logId,
      featureSlug: feature,
      isSampled: false,
      sampleRate: null,
      sampledBy: null,
      warning,
      prompt: resolved.servedPrompt ?? null,
    },
    context.body,
  )
  // As stored: the response is also kept for retries.
  return { ...traceResponse(traceId, accepted.warning), log: { id: logId } }
}
