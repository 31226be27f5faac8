/** The values of the evaluator form: the texts of the configuration fields, and the configuration they form. Pure. */
import type { Evaluator, EvaluatorTemplate } from '@plumbline/sdk'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { checkPercentage } from '../../ui/form/numbers.ts'
import type { ConfigField } from './config-field.ts'
import { type Kind, kinds } from './kinds.ts'
import { type LiveValues, liveOf, liveRuleOf, newLive } from './live-values.ts'

/** By the key of the field; a flag is `true` or empty. */
export type Texts = Readonly<Record<string, string>>

/** The key of a field's text, without dots, which forms treat as nesting. */
export const keyOf = (name: string): string => name.replaceAll('.', '_')

export interface EvaluatorValues {
  readonly slug: string
  readonly name: string
  readonly kind: Kind
  /** Fraction of traces. */
  readonly sampleRate: number | undefined
  readonly config: Texts
  /** The part of the configuration that the form does not show, which is preserved. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly live: LiveValues
}

const sourceToBegin = `export default function judge({ input, output, idealOutput, metadata }) {
  return String(output).length < 500
}
`
const templateToBegin = `You evaluate an assistant’s answer.

Question: {{ input }}
Answer: {{ output }}

Is the answer correct, and does it stick to the question?`

/** The initial texts of the form for a kind. */
export const firstTexts = (kind: Kind): Texts => ({
  of: 'output',
  measure: 'value',
  [keyOf('verdict.type')]: 'boolean',
  ...(kind === 'code' && { source: sourceToBegin }),
  ...(kind === 'llm' && { template: templateToBegin }),
  ...(kind === 'json_schema' && { schema: '{\n  "type": "object",\n  "required": []\n}' }),
})

export const newEvaluator = (kind: Kind): EvaluatorValues => ({
  slug: '',
  name: '',
  kind,
  sampleRate: 0.1,
  config: firstTexts(kind),
  rest: {},
  live: newLive,
})

type EvaluatorFields = Pick<Evaluator, 'slug' | 'name' | 'kind' | 'config' | 'sampleRate' | 'liveRule'>

export const valuesOf = ({
  slug,
  name,
  kind,
  config,
  sampleRate,
  liveRule,
}: EvaluatorFields): EvaluatorValues => ({
  slug,
  name,
  kind,
  sampleRate,
  // Absent fields stay absent, so that saving without changes creates no version.
  config: Object.fromEntries(
    kinds[kind].fields.map((field) => [keyOf(field.name), textOf(field, valueAt(config, field.name))]),
  ),
  rest: Object.fromEntries(Object.entries(config).filter(([name]) => !placesOf(kind).has(name))),
  live: liveOf(liveRule),
})

/** The initial values of a template; its name and slug can be changed. */
export const valuesOfTemplate = ({
  slug,
  name,
  kind,
  config,
  isTaken,
}: EvaluatorTemplate): EvaluatorValues => ({
  ...valuesOf({ slug, name, kind, config, sampleRate: 0.1, liveRule: null }),
  // If another evaluator has the slug of the template, a new one is derived from the name.
  ...(isTaken && { slug: '', name: `${name}, another` }),
})

/** The parts of a configuration that the form of a kind shows. */
const placesOf = (kind: Kind): ReadonlySet<string> =>
  new Set(kinds[kind].fields.map(({ name }) => name.replace(/\..*/, '')))

type Config = Record<string, unknown>

function valueAt(config: Readonly<Config>, place: string): unknown {
  const [name = '', inner] = place.split('.')
  const value = config[name]
  if (inner === undefined) return value
  return typeof value === 'object' && value !== null ? (value as Config)[inner] : undefined
}

function put(config: Config, place: string, value: unknown): void {
  const [name = '', inner] = place.split('.')
  config[name] = inner === undefined ? value : { ...(config[name] as Config | undefined), [inner]: value }
}

function textOf({ type }: ConfigField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (type === 'flag') return value === true ? 'true' : ''
  if (type === 'words' && Array.isArray(value)) return value.join(', ')
  if (type === 'points' && Array.isArray(value)) return value.map(pointText).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Safe: stored configurations match the schema that the service accepts. */
const pointText = (point: { readonly value: number; readonly label: string }): string =>
  `${point.value}: ${point.label}`

/** The fields of a kind that apply with the current values of the others. */
export const shownFields = (kind: Kind, texts: Texts): readonly ConfigField[] =>
  kinds[kind].fields.filter(
    ({ onlyIf }) => onlyIf === undefined || onlyIf.is.includes(readChoice(kind, texts, onlyIf.name)),
  )

/** The value of a choice; its first one by default. */
function readChoice(kind: Kind, texts: Texts, name: string): string {
  const field = kinds[kind].fields.find((candidate) => candidate.name === name)
  return texts[keyOf(name)] || (field?.type === 'choice' ? (field.choices[0]?.value ?? '') : '')
}

interface ReadConfig {
  readonly config: Readonly<Record<string, unknown>>
  /** Problems by field name. */
  readonly problems: Readonly<Record<string, string>>
}

/** The configuration parsed from the texts, and the problems of invalid texts. */
export function readTexts(kind: Kind, texts: Texts, rest: EvaluatorValues['rest'] = {}): ReadConfig {
  const config: Config = { ...rest }
  const problems: Record<string, string> = {}
  for (const field of shownFields(kind, texts)) {
    const text = texts[keyOf(field.name)] ?? ''
    if (text.trim() === '') {
      if (field.isRequired) problems[field.name] = 'is required'
      continue
    }
    const read = readText(field, text)
    if ('problem' in read) problems[field.name] = read.problem
    else put(config, field.name, read.value)
  }
  if (kind === 'range' && config.min === undefined && config.max === undefined && !problems.min)
    problems.min = 'or “At most” is required'
  return { config, problems }
}

function readText(field: ConfigField, text: string): { value: unknown } | { problem: string } {
  switch (field.type) {
    case 'flag':
      return { value: text === 'true' }
    case 'number': {
      const value = Number(text)
      const { min = -Infinity, max = Infinity } = field
      return Number.isFinite(value) && value >= min && value <= max
        ? { value }
        : { problem: Number.isFinite(min) ? `must be a number from ${min} to ${max}` : 'must be a number' }
    }
    case 'words':
      return {
        value: text
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== ''),
      }
    case 'references':
      return { value: listIn(text) ?? text }
    case 'points':
      return readPoints(text)
    case 'json':
      try {
        return { value: JSON.parse(text) }
      } catch (error) {
        return { problem: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
      }
    default:
      return { value: text }
  }
}

/** The texts of a JSON list; undefined if the text is not one. */
function listIn(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

/** One entry per line, such as `5: could not be better`. */
function readPoints(text: string): { value: unknown } | { problem: string } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const points = lines.map((line) => /^\s*(-?\d+(?:\.\d+)?)\s*:\s*(\S.*?)\s*$/.exec(line))
  const wrong = lines[points.indexOf(null)]
  if (wrong !== undefined)
    return { problem: `has a line that is not a number and its meaning: “${wrong.trim()}”` }
  return { value: points.map((point) => ({ value: Number(point?.[1]), label: point?.[2] })) }
}

export const evaluatorInput = ({ slug, name, kind, sampleRate, config, rest, live }: EvaluatorValues) => ({
  slug,
  name: name.trim(),
  kind,
  config: { ...readTexts(kind, config, rest).config },
  sampleRate: sampleRate ?? Number.NaN,
  // People judge in annotation queues.
  liveRule: kind === 'human' ? null : liveRuleOf(live),
})

export type EvaluatorInput = ReturnType<typeof evaluatorInput>

/**
 * The contract does not check the configuration, which depends on the kind. Its problems, by the path that the
 * service would report.
 */
export const checkConfig = ({
  kind,
  config,
  rest,
  sampleRate,
  live,
}: EvaluatorValues): readonly InputProblem[] => [
  ...Object.entries(readTexts(kind, config, rest).problems).map(([name, problem]) => ({
    path: `config.${name}`,
    problem,
  })),
  ...checkPercentage('sampleRate', sampleRate),
  ...checkLive(live),
]

function checkLive({
  isOn,
  filter: { problem },
  subject,
  sampleRate,
  quietMinutes,
}: LiveValues): readonly InputProblem[] {
  if (!isOn) return []
  return [
    ...(problem === undefined ? [] : [{ path: 'liveRule.filters', problem }]),
    ...checkPercentage('liveRule.sampleRate', sampleRate),
    ...(subject === 'session' ? checkQuietMinutes(quietMinutes) : []),
  ]
}

const quietMinutesMax = 1440

const checkQuietMinutes = (minutes: number | undefined): readonly InputProblem[] =>
  minutes !== undefined && Number.isInteger(minutes) && minutes >= 1 && minutes <= quietMinutesMax
    ? []
    : [{ path: 'liveRule.quietMinutes', problem: `must be a whole number from 1 to ${quietMinutesMax}` }]

/** The form field that shows a configuration problem: `config.verdict_min` for `config.verdict.min`. */
export const fieldsOfConfig = ({
  kind,
}: Pick<EvaluatorValues, 'kind'>): Readonly<
  Record<string, `config.${string}` | `live.${keyof LiveValues}`>
> => {
  const { fields } = kinds[kind]
  const parts = fields.flatMap(({ name }): [string, `config.${string}`][] => {
    const field = `config.${keyOf(name)}` as const
    const [part = ''] = name.split('.')
    // An object without a field of its own shows its problem at its first field.
    return [
      [
        `config.${part}`,
        `config.${keyOf(fields.find((other) => other.name.split('.')[0] === part)?.name ?? part)}`,
      ],
      [`config.${name}`, field],
    ]
  })
  return {
    ...Object.fromEntries(parts),
    'liveRule.filters': 'live.filter',
    'liveRule.subject': 'live.subject',
    'liveRule.sampleRate': 'live.sampleRate',
    'liveRule.quietMinutes': 'live.quietMinutes',
  }
}
