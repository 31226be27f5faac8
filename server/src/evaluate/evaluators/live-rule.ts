/** Reads live rules: which arriving traces an evaluator judges. Pure. */
import {
  defaultQuietMinutes,
  type InputOf,
  invalid,
  LiveFilters,
  type LiveRule,
  type operations,
  ServiceError,
} from '@plumbline/contract'
import type { LiveSelection } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import { makeObjectCheck } from '../../requests/validate.ts'
import { readFilters } from '../../traces/filters.ts'

type Filters = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor'>

const checkFilters = makeObjectCheck<Filters>(LiveFilters, 'liveRule.filters')

/** The rule in its stored form; throws `invalid_request` for filters that do not exist, and for `human` evaluators. */
export function writeLiveRule(
  { filters, subject, sampleRate, quietMinutes }: LiveRule,
  kind: string,
): string {
  if (kind === 'human')
    throw invalid('liveRule', 'must not be set for "human" evaluators: people judge in annotation queues')
  if (subject !== 'session' && quietMinutes !== undefined)
    throw invalid('liveRule.quietMinutes', 'must be absent unless the subject is "session"')
  const rule = { filters, subject, sampleRate }
  checkLiveRule(rule)
  return JSON.stringify(
    subject === 'session' ? { ...rule, quietMinutes: quietMinutes ?? defaultQuietMinutes } : rule,
  )
}

/** Throws `invalid_request` for filters that do not exist. */
export function checkLiveRule(rule: LiveRule): void {
  selectionOf(rule)
}

/** The subject and filters of the rule in the form of the trace store. */
export function selectionOf({ filters, subject }: LiveRule): LiveSelection {
  return {
    filters: readFilters(checkFilters(filters)),
    logType: subject === 'trace' || subject === 'session' ? undefined : subject,
  }
}

/** Undefined, with a log line, for a rule that was valid when it was saved but is not now: the other rules must continue. */
export function readableSelection(rule: LiveRule, slug: string, logger: Logger): LiveSelection | undefined {
  try {
    return selectionOf(rule)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    logger.error({ err: error, evaluator: slug }, 'a live rule cannot be read')
    return undefined
  }
}

export const quietMsOf = ({ quietMinutes = defaultQuietMinutes }: LiveRule): number => quietMinutes * 60_000

// Safe: `writeLiveRule` wrote it.
export const readLiveRule = (text: string): LiveRule => JSON.parse(text) as LiveRule
