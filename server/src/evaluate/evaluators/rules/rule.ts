/** The rules by name. Each reads its configuration once, and then judges any number of traces; none does I/O. */
import { RegexTooSlow } from './guarded-regex.ts'
import { readJsonSchema, readJsonValid } from './json-rules.ts'
import type { Config, Judge } from './judge.ts'
import { readLanguage } from './language-rule.ts'
import { readPii, readSecrets } from './leak-rules.ts'
import { readBleu, readRougeL, readSimilarity } from './likeness-rules.ts'
import { readCost, readLatency, readLength, readRange } from './number-rules.ts'
import {
  readContains,
  readEndsWith,
  readEquals,
  readNotContains,
  readRegex,
  readStartsWith,
} from './text-rules.ts'
import { readToolCalls } from './tool-calls-rule.ts'

const rules = {
  equals: readEquals,
  contains: readContains,
  not_contains: readNotContains,
  starts_with: readStartsWith,
  ends_with: readEndsWith,
  regex: readRegex,
  json_valid: readJsonValid,
  json_schema: readJsonSchema,
  range: readRange,
  length: readLength,
  latency: readLatency,
  cost: readCost,
  similarity: readSimilarity,
  rouge_l: readRougeL,
  bleu: readBleu,
  language: readLanguage,
  pii: readPii,
  secrets: readSecrets,
  tool_calls: readToolCalls,
} satisfies Record<string, (config: Config) => Judge>

export type RuleKind = keyof typeof rules
export const isRuleKind = (kind: string): kind is RuleKind => Object.hasOwn(rules, kind)

/** The judge for a configuration; throws `invalid_request` naming the invalid field. */
export function readRule(kind: RuleKind, config: Config): Judge {
  const judge = rules[kind](config)
  return (subject) => {
    try {
      return judge(subject)
    } catch (error) {
      if (error instanceof RegexTooSlow) return { value: null, comment: error.message }
      throw error
    }
  }
}
