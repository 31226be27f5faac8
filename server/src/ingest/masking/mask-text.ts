/** Masks what the rules find in one text. */

import type { Hit } from '../../detectors/hit.ts'
import type { CompiledRule, RuleSet, TextRule } from './compile-rules.ts'
import type { Deadline } from './deadline.ts'

/** A change, for the rehearsal: the hits of one rule in one text, and what took their place. */
export interface Change {
  readonly rule: CompiledRule
  readonly before: string
  readonly after: string
  /** In `before`. */
  readonly hits: readonly Hit[]
  /** Of the first hit's replacement in `after`. */
  readonly first: Hit
}

export interface TextContext {
  readonly rules: RuleSet
  readonly deadline: Deadline
  readonly onChange?: ((change: Change) => void) | undefined
}

/** A dropped value. */
export const dropped = Symbol('dropped')

/** What takes the place of text that could not be searched. */
export const unsearched = '[masked]'

/** Detectors run again over what they changed: with a hit gone, its neighbours may be one. */
const passesMax = 4

/** The text with its hits replaced, or `dropped`. */
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
