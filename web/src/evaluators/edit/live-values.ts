/** A live rule as the form holds it: its filter as text. Pure. */
import type { Evaluator, LiveRule } from '@plumbline/sdk'
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import { isClause, readFilter, readParts, writeFilter } from '../../traces/filter/filter-text.ts'

export interface LiveValues {
  readonly isOn: boolean
  readonly filter: string
  readonly subject: LiveRule['subject']
  /** Fraction of the matching traces, or of sessions. */
  readonly sampleRate: number | undefined
  /** Of sessions alone. */
  readonly quietMinutes: number | undefined
}

const defaultQuietMinutes = 10

export const newLive: LiveValues = {
  isOn: false,
  filter: '',
  subject: 'trace',
  sampleRate: 0.1,
  quietMinutes: defaultQuietMinutes,
}

export const liveOf = (liveRule: Evaluator['liveRule']): LiveValues =>
  liveRule === null
    ? newLive
    : {
        isOn: true,
        filter: writeFilter(clausesOfInput(liveRule.filters)),
        subject: liveRule.subject,
        sampleRate: liveRule.sampleRate,
        quietMinutes: liveRule.quietMinutes ?? defaultQuietMinutes,
      }

/** Null where only what names the evaluator is judged. */
export const liveRuleOf = ({
  isOn,
  filter,
  subject,
  sampleRate = Number.NaN,
  quietMinutes = Number.NaN,
}: LiveValues): LiveRule | null => {
  if (!isOn) return null
  const rule = { filters: { ...filterInput(readFilter(filter)) }, subject, sampleRate }
  return subject === 'session' ? { ...rule, quietMinutes } : rule
}

/** What of the filter is not understood. */
export function filterProblem(filter: string): string | undefined {
  const wrong = readParts(filter).find(({ parsed }) => !isClause(parsed))
  return wrong && `does not understand "${wrong.text}"`
}
