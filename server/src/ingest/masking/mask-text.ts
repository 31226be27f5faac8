/** Masks what the rules find in one text. */

import type { Hit } from '../../detectors/hit.ts'
import type { CompiledRule, RuleSet, TextRule } from './compile-rules.ts'
import type { Deadline } from './deadline.ts'

/** A change, for the rehearsal: the matches of one rule in one text, and their replacements. */
export interface Change {
  readonly rule: CompiledRule
  readonly before: string
  readonly after: string
  /** Positions in `before`. */
  readonly hits: readonly Hit[]
  /** The position of the first match's replacement in `after`. */
  readonly first: Hit
}

export interface TextContext {
  readonly rules: RuleSet
  readonly deadline: Deadline
  readonly onChange?: ((change: Change) => void) | undefined
}

/** Stands for a dropped value. */
export const dropped = Symbol('dropped')

/** Replaces text that could not be searched. */
export const unsearched = '[masked]'

/** Detectors run again over a text that they changed: once a match is replaced, the text beside it may be one. */
const passesMax = 4

/** The text with its matches replaced, or `dropped`. */
export function maskText(
  text: string,
  rules: readonly TextRule[],
  context: TextContext,
): string | typeof dropped {
  let current = text
  for (let pass = 0; pass < passesMax; pass++) {
    const before = current
    for (const rule of rules) {
      if (pass > 0 && rule.type === 'pattern') continue
      const masked = applyRule(current, rule, context)
      if (masked === dropped) return dropped
      current = masked
    }
    if (current === before) break
  }
  return current
}

function applyRule(text: string, rule: TextRule, context: TextContext): string | typeof dropped {
  if (context.deadline.isOver()) return unsearched
  const hits = rule.find(text)
  if (hits.length === 0) return text
  if (rule.action === 'drop') {
    context.onChange?.({ rule, before: text, after: 'null', hits, first: { start: 0, end: 4 } })
    return dropped
  }
  let after = ''
  let end = 0
  for (const hit of hits) {
    after += text.slice(end, hit.start)
    after += replacementOf(text.slice(hit.start, hit.end), rule, context.rules)
    end = hit.end
  }
  after += text.slice(end)
  if (context.onChange !== undefined) {
    const [{ start, end: firstEnd }] = hits as [Hit]
    const { length } = replacementOf(text.slice(start, firstEnd), rule, context.rules)
    context.onChange({ rule, before: text, after, hits, first: { start, end: start + length } })
  }
  return after
}

const replacementOf = (hit: string, rule: TextRule, rules: RuleSet): string =>
  rule.action === 'hash' ? rules.hash(rule, rule.normalize(hit)) : rule.text
