/** The rules by name. Each reads its configuration once, and then judges any number of traces; none does I/O. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@plumbline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { comparedLength, similarityOf } from './edit-distance.ts'
import { firstMatch, RegexTooSlow } from './guarded-regex.ts'
import { type Place, parsed, parts, type Subject, textOf, valueAt } from './subject.ts'

/** What a rule says; null where there is nothing to judge. */
export interface Judgement {
  readonly value: boolean | number | null
  readonly comment: string
}

export type Judge = (subject: Subject) => Judgement

type Config = Readonly<Record<string, unknown>>

const rules = {
  equals: readEquals,
  contains: readContains,
  regex: readRegex,
  json_schema: readJsonSchema,
  range: readRange,
  similarity: readSimilarity,
} satisfies Record<string, (config: Config) => Judge>

export type RuleKind = keyof typeof rules
// Safe: the keys of the object above.
export const ruleKinds = Object.keys(rules) as RuleKind[]
export const isRuleKind = (kind: string): kind is RuleKind => Object.hasOwn(rules, kind)

/** What judges by a configuration; throws `invalid_request` naming the field that is wrong. */
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

const nothing = ({ of, path }: Place): Judgement => ({
  value: null,
  comment: `There is nothing at ${[of, ...path].join('.')}.`,
})

function readEquals(config: Config): Judge {
  const place = readPlace(config)
  const ignoresCase = readFlag(config, 'ignoreCase')
  const folded = (value: unknown): unknown =>
    typeof value === 'string' && ignoresCase ? value.toLowerCase() : value
  return (subject) => {
    const value = valueAt(subject, place)
    const wanted = config.value ?? subject.idealOutput ?? undefined
    if (wanted === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
    if (value === undefined) return nothing(place)
    const isEqual = isDeepStrictEqual(folded(value), folded(wanted)) || textOf(value) === textOf(wanted)
    return { value: isEqual, comment: isEqual ? 'It is what was wanted.' : `Wanted ${shown(wanted)}.` }
  }
}

function readContains(config: Config): Judge {
  const place = readPlace(config)
  const wanted = readText(config, 'value')
  const ignoresCase = readFlag(config, 'ignoreCase')
  const folded = (text: string): string => (ignoresCase ? text.toLowerCase() : text)
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothing(place)
    const isThere = folded(textOf(value)).includes(folded(wanted))
    return { value: isThere, comment: `It ${isThere ? 'contains' : 'does not contain'} ${shown(wanted)}.` }
  }
}

function readRegex(config: Config): Judge {
  const place = readPlace(config)
  const pattern = readText(config, 'pattern')
  const flags = config.flags === undefined ? '' : readText(config, 'flags')
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    throw Object.assign(invalid('config.pattern', 'must be a regular expression'), { cause: error })
  }
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothing(place)
    const found = firstMatch(pattern, flags, textOf(value))
    return {
      value: found !== null,
      comment: found === null ? 'It does not match.' : `Matched ${shown(found)}.`,
    }
  }
}

function readJsonSchema(config: Config): Judge {
  const place = readPlace(config)
  const { schema } = config
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean')
    throw invalid('config.schema', 'must be a JSON schema')
  // Patterns of a schema are as dangerous as any other expression of people.
  const guarded = Object.assign(
    (pattern: string, flags: string) => ({
      test: (text: string) => firstMatch(pattern, flags, text) !== null,
      // By this the library tells expressions apart.
      toString: () => `/${pattern}/${flags}`,
    }),
    { code: 'guarded' },
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, code: { regExp: guarded } })
  let check: ReturnType<typeof ajv.compile>
  try {
    check = ajv.compile(schema)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw Object.assign(invalid('config.schema', `must be a JSON schema: ${problem}`), { cause: error })
  }
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothing(place)
    const json = typeof value === 'string' ? parsed(value) : value
    if (json === undefined && typeof value === 'string') return { value: false, comment: 'It is no JSON.' }
    const isValid = check(json)
    return { value: isValid, comment: isValid ? 'It fits the schema.' : `${ajv.errorsText(check.errors)}.` }
  }
}

const measures = [
  'value',
  'length',
  'durationMs',
  'cost',
  'inputTokens',
  'outputTokens',
  'totalTokens',
] as const

function readRange(config: Config): Judge {
  const place = readPlace(config)
  const { min, max, measure: asked = 'value' } = config
  for (const [name, bound] of Object.entries({ min, max }))
    if (bound !== undefined && typeof bound !== 'number') throw invalid(`config.${name}`, 'must be a number')
  if (min === undefined && max === undefined) throw invalid('config.min', 'or config.max is required')
  const measure = measures.find((name) => name === asked)
  if (measure === undefined) throw invalid('config.measure', `must be one of ${measures.join(', ')}`)
  // Safe: both were checked above.
  const [least, most] = [(min as number | undefined) ?? -Infinity, (max as number | undefined) ?? Infinity]
  return (subject) => {
    const number = measured(subject, measure, place)
    if (number === undefined) return { value: null, comment: `There is no ${measure} to judge.` }
    return { value: number >= least && number <= most, comment: `It is ${number}.` }
  }
}

function measured(subject: Subject, measure: (typeof measures)[number], place: Place): number | undefined {
  switch (measure) {
    case 'durationMs':
    case 'cost':
      return subject[measure] ?? undefined
    case 'inputTokens':
    case 'outputTokens':
      return subject[measure]
    case 'totalTokens':
      return subject.inputTokens + subject.outputTokens
    default: {
      const value = valueAt(subject, place)
      if (value === undefined) return undefined
      if (measure === 'length') return [...textOf(value)].length
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined
    }
  }
}

function readSimilarity(config: Config): Judge {
  const place = readPlace(config)
  const { value: wanted, threshold } = config
  if (threshold !== undefined && (typeof threshold !== 'number' || threshold < 0 || threshold > 1))
    throw invalid('config.threshold', 'must be a number from 0 to 1')
  return (subject) => {
    const value = valueAt(subject, place)
    const other = wanted ?? subject.idealOutput ?? undefined
    if (other === undefined) return { value: null, comment: 'There is no ideal output to compare with.' }
    if (value === undefined) return nothing(place)
    const [one, two] = [textOf(value), textOf(other)]
    const similarity = similarityOf(one, two)
    const isCut = Math.max(one.length, two.length) > comparedLength
    const comment = `${Math.round(similarity * 100)} % alike${isCut ? `, by the first ${comparedLength} characters` : ''}.`
    return { value: threshold === undefined ? similarity : similarity >= threshold, comment }
  }
}

function readPlace({ of = 'output', path = '' }: Config): Place {
  const part = parts.find((name) => name === of)
  if (part === undefined) throw invalid('config.of', `must be one of ${parts.join(', ')}`)
  if (typeof path !== 'string') throw invalid('config.path', 'must be a text, such as choices.0.text')
  return { of: part, path: path === '' ? [] : path.split('.') }
}

function readText(config: Config, name: string): string {
  const value = config[name]
  if (typeof value !== 'string' || value === '') throw invalid(`config.${name}`, 'must be a text')
  return value
}

function readFlag(config: Config, name: string): boolean {
  const value = config[name] ?? false
  if (typeof value !== 'boolean') throw invalid(`config.${name}`, 'must be true or false')
  return value
}

/** How a value begins, for a sentence. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
