/** Compiled masking rules, in order and grouped by field, as the walk needs them. */
import { createHmac } from 'node:crypto'
import {
  invalid,
  type MaskingField,
  type MaskingRule,
  maskingFields,
  maskingPathDepthsMax,
  maskingPathStepsMax,
} from '@plumbline/contract'
import type { Find } from '../../detectors/hit.ts'
import { detectors } from './detectors.ts'
import { begin, type PathPositions, parsePath, type Step } from './path.ts'
import { compilePattern } from './pattern.ts'

interface CommonRule {
  /** Position in the compiled list. */
  readonly index: number
  readonly action: MaskingRule['action']
  /** The replacement that `mask` inserts. */
  readonly text: string
  /** The prefix of a hash. */
  readonly label: string
  readonly appliesTo: (field: MaskingField) => boolean
  readonly features: ReadonlySet<string> | undefined
}

export interface TextRule extends CommonRule {
  readonly type: 'detector' | 'pattern'
  readonly find: Find
  readonly normalize: (hit: string) => string
  /** Whether numbers are searched too. */
  readonly readsNumbers: boolean
}

export interface PathRule extends CommonRule {
  readonly type: 'path'
  /** The field that its path begins with; undefined if it can be any field. */
  readonly field: MaskingField | undefined
  readonly steps: readonly Step[]
}

export type CompiledRule = TextRule | PathRule

/** The rules for one field of a trace. */
export interface FieldRules {
  readonly texts: readonly TextRule[]
  readonly paths: PathPositions<PathRule>
}

/** Rules for traces of one feature. */
export interface RuleSet {
  readonly rulesOf: (field: MaskingField) => FieldRules
  /** Rules that are limited to no field, for texts that belong to none; without paths. */
  readonly everywhere: FieldRules
  readonly hash: (rule: CompiledRule, value: string) => string
  readonly hashNumber: (rule: CompiledRule, value: number) => number
}

export interface CompiledRules {
  /** The rules for a trace of a feature or of none (null). If the feature is unknown (undefined), every rule applies. */
  readonly forFeature: (slug: string | null | undefined) => RuleSet
  readonly hasPaths: boolean
  /** All text rules, whatever they are limited to. */
  readonly allRules: RuleSet
}

/** Limit on the instructions of all patterns together. */
const programsSizeMax = 10_000
/** How many characters of a hash are shown: 80 bits. */
const hashLength = 20

/** Compiles the enabled rules; throws an `invalid_request` that names the first rule that is invalid. */
export function compileRules(rules: readonly MaskingRule[], key: Buffer): CompiledRules {
  let programsSize = 0
  const compiled = rules.flatMap((rule, index): CompiledRule[] => {
    const { program, ...compiledRule } = compileRule(rule, index)
    programsSize += program
    if (programsSize > programsSizeMax)
      throw invalid(
        `rules[${index}].pattern`,
        'makes the patterns together too large; use fewer or smaller ones',
      )
    return rule.enabled === false ? [] : [compiledRule.rule]
  })
  checkTexts(rules, compiled)
  const sets = new Map<string | null | undefined, RuleSet>()
  return {
    forFeature(slug) {
      const existingSet = sets.get(slug)
      if (existingSet !== undefined) return existingSet
      const set = makeRuleSet(
        compiled.filter(
          ({ features }) =>
            features === undefined || slug === undefined || (slug !== null && features.has(slug)),
        ),
        key,
      )
      sets.set(slug, set)
      return set
    },
    hasPaths: compiled.some(({ type }) => type === 'path'),
    allRules: makeRuleSet(
      compiled.map((rule) => ({ ...rule, appliesTo: () => true })),
      key,
    ),
  }
}

function compileRule(rule: MaskingRule, index: number): { rule: CompiledRule; program: number } {
  const { action, fields, features } = rule
  const refuse = (field: string, problem: unknown) =>
    invalid(`rules[${index}].${field}`, problem instanceof Error ? problem.message : String(problem))
  const label = rule.type === 'detector' ? rule.detector : 'masked'
  const common = {
    index,
    action,
    label,
    text: rule.text ?? `[${label}]`,
    appliesTo: (field: MaskingField) => fields === undefined || fields.length === 0 || fields.includes(field),
    features: features === undefined || features.length === 0 ? undefined : new Set(features),
  }
  switch (rule.type) {
    case 'detector': {
      const { find, normalize } = detectors[rule.detector]
      const readsNumbers = rule.detector === 'card'
      return { rule: { ...common, type: 'detector', find, normalize, readsNumbers }, program: 0 }
    }
    case 'pattern':
      try {
        const { find, programSize } = compilePattern(rule.pattern)
        const normalize = (hit: string) => hit
        return {
          rule: { ...common, type: 'pattern', find, normalize, readsNumbers: true },
          program: programSize,
        }
      } catch (error) {
        throw refuse('pattern', error)
      }
    case 'path':
      try {
        const { field, steps } = parsePath(rule.path)
        const appliesTo = (each: MaskingField) =>
          common.appliesTo(each) && (field === undefined || field === each)
        return { rule: { ...common, type: 'path', field, steps, appliesTo }, program: 0 }
      } catch (error) {
        throw refuse('path', error)
      }
  }
}

/** Checks the limits of paths, separately because rules that were stored before the limits existed may exceed them. */
export function checkPaths(rules: readonly MaskingRule[]): void {
  for (const [index, rule] of rules.entries()) {
    if (rule.type !== 'path') continue
    const { steps } = parsePath(rule.path)
    const depths = steps.filter(({ type }) => type === 'any').length
    if (steps.length > maskingPathStepsMax)
      throw invalid(`rules[${index}].path`, `must have at most ${maskingPathStepsMax} keys`)
    if (depths > maskingPathDepthsMax)
      throw invalid(`rules[${index}].path`, `must have \`**\` at most ${maskingPathDepthsMax} times`)
  }
}

/** A replacement that a detector matches would be masked again and again. */
function checkTexts(rules: readonly MaskingRule[], compiledRules: readonly CompiledRule[]): void {
  const detectors = compiledRules.filter((rule): rule is TextRule => rule.type === 'detector')
  for (const [index, { text }] of rules.entries())
    if (text !== undefined && detectors.some((rule) => rule.find(text).length > 0))
      throw invalid(`rules[${index}].text`, 'must not match a detector among the rules')
}

function makeRuleSet(rules: readonly CompiledRule[], key: Buffer): RuleSet {
  const digest = (value: string) => createHmac('sha256', key).update(value).digest()
  const pick = (isPicked: (rule: CompiledRule) => boolean): FieldRules => {
    const picked = rules.filter(isPicked)
    return {
      texts: picked.filter((rule) => rule.type !== 'path'),
      paths: begin(
        picked.filter((rule) => rule.type === 'path').map((rule) => ({ rule, steps: rule.steps })),
      ),
    }
  }
  const byField = new Map(maskingFields.map((field) => [field, pick((rule) => rule.appliesTo(field))]))
  return {
    // Safe: every field has an entry.
    rulesOf: (field) => byField.get(field) as FieldRules,
    everywhere: { ...pick((rule) => maskingFields.every(rule.appliesTo)), paths: [] },
    hash: ({ label }, value) => `[${label}:${lettersOf(digest(value))}]`,
    hashNumber: (_rule, value) => numberBase + Number(digest(String(value)).readBigUInt64BE() >> 24n),
  }
}

/** Thirteen digits that begin with 1 or 2: no detector mistakes them for a card or a phone number. */
const numberBase = 1_000_000_000_000

/** Sixteen letters for sixteen values of four bits: digits could look like a card number again. */
const letters = 'ghijkmnpqrstvwxz'

const hashPattern = new RegExp(`\\[[^[\\]]+:[${letters}]{${hashLength}}\\]`)

/** Whether a masked text contains a hash. */
export const hasHash = (text: string): boolean => hashPattern.test(text)

const lettersOf = (bytes: Buffer): string =>
  [...bytes.subarray(0, hashLength / 2)].map((byte) => letters[byte >> 4]! + letters[byte & 15]!).join('')
