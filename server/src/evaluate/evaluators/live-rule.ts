/** Reads live rules: what an evaluator judges of the traces that arrive. Pure. */
import { type InputOf, invalid, LiveFilters, type LiveRule, type operations } from '@plumbline/contract'
import type { LiveSelection } from '@plumbline/storage/traces'
import { compileObjectCheck } from '../../requests/validate.ts'
import { readFilters } from '../../traces/filters.ts'

type Filters = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor'>

const checkFilters = compileObjectCheck<Filters>(LiveFilters, 'liveRule.filters')

/** The rule as it is stored; throws `invalid_request` for filters that do not exist, and for people who judge. */
export function writeLiveRule({ filters, subject, sampleRate }: LiveRule, kind: string): string {
  if (kind === 'human')
    throw invalid('liveRule', 'must not be set for people, who judge in annotation queues')
  const rule = { filters, subject, sampleRate }
  checkLiveRule(rule)
  return JSON.stringify(rule)
}

/** Throws `invalid_request` for filters that do not exist. */
export function checkLiveRule(rule: LiveRule): void {
  selectionOf(rule)
}

/** What the rule is about, as the trace store takes it. */
export function selectionOf({ filters, subject }: LiveRule): LiveSelection {
  return {
    filters: readFilters(checkFilters(filters)),
    logType: subject === 'trace' ? undefined : subject,
  }
}

// Safe: `writeLiveRule` wrote it.
export const readLiveRule = (text: string): LiveRule => JSON.parse(text) as LiveRule
