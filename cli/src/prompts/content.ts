/** What a prompt is in files and in the service alike, and in what two of them differ. */
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

/** A part of a prompt as text, to be compared line by line. */
export interface Part {
  readonly part: string
  readonly text: string
}

/** What a version is made of: a difference here needs a new version. */
export const versionParts = ({ text, systemText, model }: PromptContent): Part[] => [
  { part: 'text', text },
  { part: 'system', text: systemText },
  { part: 'model', text: modelText(model) },
]

/** What belongs to the prompt itself, which the interface cannot change later. */
export const promptParts = ({ name, description, feature }: PromptContent): Part[] => [
  { part: 'name', text: name },
  { part: 'description', text: description },
  { part: 'feature', text: feature },
]

export const tagsPart = ({ tags }: PromptContent): Part[] => [{ part: 'tags', text: tags.join('\n') }]

export const allParts = (content: PromptContent): Part[] => [
  ...promptParts(content),
  ...tagsPart(content),
  ...versionParts(content),
]

/** The parts that differ, by name. */
export const differing = (one: readonly Part[], other: readonly Part[]): string[] =>
  one.filter(({ text }, index) => text !== other[index]!.text).map(({ part }) => part)

/** Tags as files have them. */
export const ownTags = (tags: readonly string[]): string[] =>
  [...new Set(tags)].filter((tag) => tag !== 'latest' && tag !== 'production').sort()

/** A model in one order of fields, whoever made it. Below the parameters the order stays: in a schema it has a meaning. */
export function orderedModel({ provider, client, model, version, parameters }: Model): Model {
  const { temperature, topP, maxLength, responseFormat, ...others } = parameters
  const sorted = Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    provider,
    client,
    model,
    version,
    parameters: { temperature, topP, maxLength, responseFormat, ...Object.fromEntries(sorted) },
  }
}

export const modelText = (model: Model): string => JSON.stringify(orderedModel(model), null, 2)
