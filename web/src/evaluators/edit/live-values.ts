/** A live rule as the form holds it: its filter as text. Pure. */
import type { Evaluator, LiveRule } from '@plumbline/sdk'
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import { isClause, readFilter, readParts, writeFilter } from '../../traces/filter/filter-text.ts'

export interface LiveValues {
  readonly isOn: boolean
  readonly filter: string
  readonly subject: LiveRule['subject']
  /** Fraction of the matching traces. */
  readonly sampleRate: number | undefined
}

export const newLive: LiveValues = { isOn: false, filter: '', subject: 'trace', sampleRate: 0.1 }

export const liveOf = (liveRule: Evaluator['liveRule']): LiveValues =>
  liveRule === null
    ? newLive
    : {
        isOn: true,
        filter: writeFilter(clausesOfInput(liveRule.filters)),
        subject: liveRule.subject,
        sampleRate: liveRule.sampleRate,
      }

/** Null where only what names the evaluator is judged. */
export const liveRuleOf = ({ isOn, filter, subject, sampleRate }: LiveValues): LiveRule | null =>
  isOn
    ? { filters: { ...filterInput(readFilter(filter)) }, subject, sampleRate: sampleRate ?? Number.NaN }
    : null

/** What of the filter is not understood. */
export function filterProblem(filter: string): string | undefined {
  const wrong = readParts(filter).find(({ parsed }) => !isClause(parsed))
  return wrong && `does not understand "${wrong.text}"`
}
