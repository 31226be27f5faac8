import { type AlertState, invalid, type operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { describeRule } from './labels.ts'
import { measureWindow, measureWindows } from './measurements.ts'
import { type CurrentState, nextState } from './next-state.ts'
import { readRule } from './rule.ts'
import { floorToMinute, previewStep, windowEnd } from './windows.ts'

const dayMs = 86_400_000
const rangeMsMax = 366 * dayMs
const defaultRangeMs = 7 * dayMs

type Firing = { from: string; to: string | null }

/** Applies the rule to the past exactly as it will be applied to future windows. */
export const preview: Verb<typeof operations.alerts.preview> = async (
  { from: sentFrom, to: sentTo, filters, ...ruleInput },
  { workspace, now },
) => {
  const rule = readRule({ ...ruleInput, filters: filters === undefined ? {} : parse(filters) })
  const last = windowEnd(rule, now)
  const requestedTo = dateOf(readInstant(sentTo, 'to')) ?? last
  const to = requestedTo > last ? last : requestedTo
  const from = dateOf(readInstant(sentFrom, 'from')) ?? new Date(to.getTime() - defaultRangeMs)
  const rangeMs = to.getTime() - from.getTime()
  if (rangeMs > rangeMsMax) throw invalid('from', 'must be within a year before `to`')
  const stepMinutes = previewStep(rule.windowMinutes, rangeMs)
  const samples = from > to ? [] : await measureWindows(workspace.traces, rule, { from, to, stepMinutes })
  // The latest window is always included: otherwise a recent change could lie between two windows of the preview.
  const latestEnd = floorToMinute(to)
  const isMissing = latestEnd >= from && latestEnd > (samples.at(-1)?.time ?? new Date(0))
  if (isMissing) samples.push(await measureWindow(workspace.traces, rule, latestEnd))
  const firings: Firing[] = []
  let status: CurrentState = { state: 'ok', since: from, recoveringSince: undefined }
  const points = samples.map((sample) => {
    const next = nextState(rule, status, sample)
    status = next.status
    const time = sample.time.toISOString()
    if (next.event?.type === 'firing') firings.push({ from: time, to: null })
    const open = firings.at(-1)
    if (next.event?.type === 'resolved' && open !== undefined) open.to = time
    const state: AlertState = status.state
    return { at: time, value: sample.value ?? null, samples: sample.samples, state }
  })
  return { summary: describeRule(rule), everyMinutes: stepMinutes, points, firings }
}

const dateOf = (us: bigint | undefined): Date | undefined =>
  us === undefined ? undefined : new Date(Number(us / 1000n))

function parse(filters: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(filters)
    // Safe: it is checked as filters next, whatever it is.
    return parsed as Record<string, unknown>
  } catch (error) {
    throw Object.assign(invalid('filters', 'must be a JSON object'), { cause: error })
  }
}
