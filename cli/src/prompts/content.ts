/** The content of a prompt, in files and in the service, and how two of them differ. */
import type { Plumbline } from '@plumbline/sdk'

export type Model = Awaited<ReturnType<Plumbline['prompts']['get']>>['prompt']['model']

/** A prompt with one version of it. */
export interface PromptContent {
  readonly name: string
  /** "" if none. */
  readonly description: string
  /** "" if none. */
  readonly feature: string
  /** Tags of the version, sorted; without `latest` and `production`, which move by other rules. */
  readonly tags: readonly string[]
  readonly text: string
  /** "" if none. */
  readonly systemText: string
  readonly model: Model
}

/** A part of a prompt as text, for line-by-line comparison. */
export interface Part {
  readonly part: string
  readonly text: string
}

/** The parts of a version: a difference here requires a new version. */
export const versionParts = ({ text, systemText, model }: PromptContent): Part[] => [
  { part: 'text', text },
  { part: 'system', text: systemText },
  { part: 'model', text: modelText(model) },
]

/** The parts of the prompt itself, which the API cannot change later. */
export const promptParts = ({ name, description, feature }: PromptContent): Part[] => [
  { part: 'name', text: name },
  { part: 'description', text: description },
  { part: 'feature', text: feature },
]

const tagsPart = ({ tags }: PromptContent): Part[] => [{ part: 'tags', text: tags.join('\n') }]

export const allParts = (content: PromptContent): Part[] => [
  ...promptParts(content),
  ...tagsPart(content),
  ...versionParts(content),
]

/** The names of the parts that differ. */
export const differingParts = (oldParts: readonly Part[], newParts: readonly Part[]): string[] =>
  oldParts.filter(({ text }, index) => text !== newParts[index]!.text).map(({ part }) => part)

/** Tags as files store them. */
export const ownTags = (tags: readonly string[]): string[] =>
  [...new Set(tags)].filter((tag) => tag !== 'latest' && tag !== 'production').sort()

/** Puts the fields of a model in a fixed order. Nested objects keep their order, which matters in a schema. */
function sortParameters({ provider, client, model, version, parameters }: Model): Model {
  const { temperature, topP, maxLength, responseFormat, ...others } = parameters
  const sorted = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    provider,
    client,
    model,
    version,
    parameters: { temperature, topP, maxLength, responseFormat, ...Object.fromEntries(sorted) },
  }
}

export const modelText = (model: Model): string => JSON.stringify(sortParameters(model), null, 2)
