/** The form values of a live rule. Pure, and without the filter parser, which only its field needs. */
import type { Evaluator, LiveRule } from '@plumbline/sdk'

export interface LiveFilter {
  readonly filters: LiveRule['filters']
  /** As it was typed; undefined until then. */
  readonly text?: string
  /** The invalid part of the text. */
  readonly problem?: string
}

export interface LiveValues {
  readonly isOn: boolean
  readonly filter: LiveFilter
  readonly subject: LiveRule['subject']
  /** Fraction of the matching traces, or of sessions. */
  readonly sampleRate: number | undefined
  /** For sessions only. */
  readonly quietMinutes: number | undefined
}

const defaultQuietMinutes = 10

export const newLive: LiveValues = {
  isOn: false,
  filter: { filters: {} },
  subject: 'trace',
  sampleRate: 0.1,
  quietMinutes: defaultQuietMinutes,
}

export const liveOf = (liveRule: Evaluator['liveRule']): LiveValues =>
  liveRule === null
    ? newLive
    : {
        isOn: true,
        filter: { filters: liveRule.filters },
        subject: liveRule.subject,
        sampleRate: liveRule.sampleRate,
        quietMinutes: liveRule.quietMinutes ?? defaultQuietMinutes,
      }

/** Null if only traces that name the evaluator are judged. */
export const liveRuleOf = ({
  isOn,
  filter: { filters },
  subject,
  sampleRate = Number.NaN,
  quietMinutes = Number.NaN,
}: LiveValues): LiveRule | null => {
  if (!isOn) return null
  const rule = { filters, subject, sampleRate }
  return subject === 'session' ? { ...rule, quietMinutes } : rule
}
