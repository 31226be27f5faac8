/** Rules of a gate: each is a line such as `delta(score.accuracy) >= -0.02`. Pure. */

export type Comparator = '>=' | '<=' | '>' | '<'

export type Count = 'regressions' | 'missing' | 'failing'

interface Limit {
  /** The rule as written. */
  readonly text: string
  readonly comparator: Comparator
  readonly value: number
}

export type GateRule = Limit &
  (
    | { readonly type: 'mean'; readonly measure: string }
    /** The difference from the baseline; with `isShare`, as a share of the baseline's mean. */
    | { readonly type: 'delta'; readonly measure: string; readonly isShare: boolean }
    | { readonly type: 'count'; readonly count: Count }
    /** Fails if the measure is worse with such a small p; without a measure, any of the scores. */
    | { readonly type: 'significance'; readonly measure: string | undefined }
  )

/** An invalid rule; the message has examples of valid ones. */
export class RuleUnreadable extends Error {
  override readonly name = 'RuleUnreadable'
}

const rulePattern = /^(.+?)\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$/i
const spending: readonly string[] = ['cost', 'durationMs', 'tokens']
const counts: readonly string[] = ['regressions', 'missing', 'failing']

/** Throws `RuleUnreadable`. */
export function readRule(line: string): GateRule {
  const text = line.trim()
  const [, subject = '', comparator, number, percent] = rulePattern.exec(text) ?? []
  if (comparator === undefined)
    throw new RuleUnreadable(`"${text}" is no rule; one is like "score.accuracy >= 0.8" or "cost <= +10%".`)
  const isShare = percent === '%'
  // Safe: the pattern matches nothing else.
  const limit = { text, comparator: comparator as Comparator, value: Number(number) / (isShare ? 100 : 1) }
  const [, operator, argument] = /^(delta|p)\((.+)\)$/.exec(subject) ?? []
  if (operator === 'delta')
    return { ...limit, type: 'delta', measure: parseMeasure(argument!.trim(), text), isShare }
  if (operator === 'p' || subject === 'p') {
    if (comparator !== '<' || isShare || limit.value <= 0 || limit.value >= 1)
      throw new RuleUnreadable(`"${text}" must be like "p < 0.05".`)
    const measure = argument === undefined ? undefined : parseMeasure(argument.trim(), text)
    return { ...limit, type: 'significance', measure }
  }
  if (counts.includes(subject)) {
    if (isShare) throw new RuleUnreadable(`"${text}" counts cases, and has no percentage.`)
    return { ...limit, type: 'count', count: subject as Count }
  }
  const measure = parseMeasure(subject, text)
  return isShare ? { ...limit, type: 'delta', measure, isShare } : { ...limit, type: 'mean', measure }
}

function parseMeasure(subject: string, text: string): string {
  if (spending.includes(subject) || /^score\../.test(subject)) return subject
  throw new RuleUnreadable(
    `"${text}" is about "${subject}", which is no measure: there are score.NAME, ${spending.join(', ')}, ${counts.join(', ')} and p.`,
  )
}

/** The rules of all lines, except empty ones and comments. */
export const readRules = (lines: readonly string[]): GateRule[] =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readRule)
