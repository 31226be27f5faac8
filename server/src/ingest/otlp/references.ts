/** The references of a span, which are resolved before it is accepted. */
import { slugOfName } from '@plumbline/contract/langfuse-prompts'
import type { Span } from './span.ts'

export interface References {
  readonly featureSlug?: string
  readonly experimentId?: string
  readonly prompt?: {
    readonly slug: string
    readonly version?: string
    readonly tag?: string
    /** The prompt's name in Langfuse; its version is an integer then. */
    readonly name?: string
  }
  /** Whether the input has to be rendered from the prompt and its variables. */
  readonly needsTemplate?: true
  readonly evaluators: readonly string[]
  /** The user that a prompt without a version was fetched for. */
  readonly userId?: string
}

/** The references of a span; undefined for the many that have none. */
export function referencesOf({ attributes }: Pick<Span, 'attributes'>): References | undefined {
  const [featureKey, otherFeatureKey] = featureKeys
  const [experimentKey, otherExperimentKey] = experimentKeys
  const [evaluatorsKey, otherEvaluatorsKey] = evaluatorsKeys
  const featureSlug = textOf(attributes[featureKey] ?? attributes[otherFeatureKey])
  const experimentId = textOf(attributes[experimentKey] ?? attributes[otherExperimentKey])
  const prompt = promptOf(attributes)
  const evaluators = slugsOf(attributes[evaluatorsKey] ?? attributes[otherEvaluatorsKey])
  if (!featureSlug && !experimentId && !prompt && evaluators.length === 0) return undefined
  return {
    ...(featureSlug ? { featureSlug } : {}),
    ...(experimentId ? { experimentId } : {}),
    ...(prompt ? { prompt } : {}),
    ...(prompt && needsTemplate(attributes) ? { needsTemplate: true } : {}),
    ...(prompt && !prompt.version ? userOf(attributes) : {}),
    evaluators,
  }
}

/** The first key takes precedence. */
const featureKeys = ['plumbline.feature', 'basalt.span.feature_slug'] as const
const experimentKeys = ['plumbline.experiment', 'basalt.experiment.id'] as const
const evaluatorsKeys = ['plumbline.evaluators', 'basalt.span.evaluators'] as const

const needsTemplate = (attributes: Span['attributes']): boolean =>
  attributes['plumbline.variables'] !== undefined && attributes['plumbline.input'] === undefined

const promptKeys = [
  ['plumbline.prompt', 'plumbline.prompt.version', 'plumbline.prompt.tag'],
  ['basalt.prompt.slug', 'basalt.prompt.version', 'basalt.prompt.tag'],
  ['gen_ai.prompt.name', 'gen_ai.prompt.version', ''],
  ['traceloop.prompt.key', 'traceloop.prompt.version', ''],
  ['langfuse.observation.prompt.name', 'langfuse.observation.prompt.version', ''],
] as const

const referenceKeys: ReadonlySet<unknown> = new Set([
  ...[...featureKeys, ...experimentKeys, ...evaluatorsKeys],
  ...promptKeys.map(([slugKey]) => slugKey),
])

/** Whether an attribute with this key is a reference. */
export const isReference = (key: unknown): boolean => referenceKeys.has(key)

const referencesByLength: ReadonlyMap<number, readonly Buffer[]> = Map.groupBy(
  [...referenceKeys].map((key) => Buffer.from(String(key))),
  ({ length }) => length,
)

/** Whether the bytes of a key are those of a reference. */
export function isReferenceIn(bytes: Buffer, start: number, end: number): boolean {
  const keys = referencesByLength.get(end - start)
  return keys?.some((key) => hasAt(bytes, start, key)) === true
}

/** Compares from the end, since keys begin alike; faster than a call of `compare`. */
function hasAt(bytes: Buffer, start: number, key: Buffer): boolean {
  for (let index = key.length - 1; index >= 0; index--) if (bytes[start + index] !== key[index]) return false
  return true
}

const userKeys = [
  'plumbline.user.id',
  'basalt.user.id',
  'user.id',
  'enduser.id',
  'gen_ai.user.id',
  'langfuse.user.id',
]

function userOf(attributes: Span['attributes']): Pick<References, 'userId'> {
  const userId = userKeys.map((key) => textOf(attributes[key])).find((id) => id !== undefined)
  return userId === undefined ? {} : { userId }
}

/** The prompt that a span names, by the first convention that names one. */
export function promptOf(attributes: Span['attributes']): References['prompt'] {
  for (const [slugKey, versionKey, tagKey] of promptKeys) {
    const slug = textOf(attributes[slugKey])
    if (!slug) continue
    const version = textOf(attributes[versionKey])
    const tag = textOf(attributes[tagKey])
    if (slugKey.startsWith('langfuse.'))
      return { slug: slugOfName(slug), name: slug, ...(version ? { version } : {}) }
    return { slug, ...(version ? { version } : {}), ...(tag ? { tag } : {}) }
  }
  return undefined
}

/** Slugs of evaluators: an array of strings, or the JSON text of one. */
export function slugsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textOf(each) ?? [])
  if (typeof value !== 'string' || value === '') return []
  if (!value.startsWith('[')) return value.split(',').flatMap((each) => textOf(each.trim()) ?? [])
  try {
    return slugsOf(JSON.parse(value))
  } catch {
    return []
  }
}

/** Accepts numbers too: some exporters send the version `2` rather than `"2"`. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
