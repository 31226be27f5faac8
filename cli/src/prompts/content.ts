/** The content of a prompt, in files and in the service, and how two contents differ. */
import type { Plumbline } from '@plumbline/sdk'

type Prompt = Awaited<ReturnType<Plumbline['prompts']['get']>>['prompt']
export type Model = Prompt['model']
export type PromptMessages = NonNullable<Prompt['messages']>
export type PromptConfig = NonNullable<Prompt['config']>

/** A prompt with one of its versions. */
export interface PromptContent {
  readonly name: string
  /** "" if none. */
  readonly description: string
  /** "" if none. */
  readonly feature: string
  /** "" if none; undefined in files that predate folders. */
  readonly folder: string | undefined
  /** Tags of the version, sorted; without `latest` and `production`, which move by other rules. */
  readonly tags: readonly string[]
  readonly text: string
  /** "" if none. */
  readonly systemText: string
  /** Messages that texts cannot represent, instead of the texts; undefined if there are none. */
  readonly messages: PromptMessages | undefined
  readonly model: Model
  /** Undefined if there is none. */
  readonly config: PromptConfig | undefined
}

/** A part of a prompt as text, for line-by-line comparison. */
export interface Part {
  readonly part: string
  readonly text: string
}

/** The parts of a version: a difference here requires a new version. */
export const versionParts = ({ text, systemText, messages, model, config }: PromptContent): Part[] => [
  { part: 'text', text },
  { part: 'system', text: systemText },
  { part: 'messages', text: messagesText(messages) ?? '' },
  { part: 'model', text: modelText(model) },
  { part: 'config', text: configText(config) ?? '' },
]

/**
 * The content of a folder, completed from the service. If a folder written by an earlier version has no messages, config or
 * prompt folder, those of the service are kept: a push must not lose them.
 */
export function withServedParts(content: PromptContent, servedContent: PromptContent): PromptContent {
  const isEmpty = content.messages === undefined && content.text === '' && content.systemText === ''
  return {
    ...content,
    folder: content.folder ?? servedContent.folder,
    messages: isEmpty ? servedContent.messages : content.messages,
    config: content.config ?? servedContent.config,
  }
}

/** The parts of the prompt itself, which the API cannot change later. */
export const promptParts = ({ name, description, feature, folder }: PromptContent): Part[] => [
  { part: 'name', text: name },
  { part: 'description', text: description },
  { part: 'feature', text: feature },
  { part: 'folder', text: folder ?? '' },
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

/** Undefined if there are none. */
export const messagesText = (messages: PromptMessages | undefined): string | undefined =>
  messages &&
  JSON.stringify(
    // With the fields in a fixed order.
    messages.map(({ role, content, placeholder }) => ({ role, content, placeholder })),
    null,
    2,
  )

/** Undefined if it is empty. */
export const configText = (config: PromptConfig | undefined): string | undefined =>
  config === undefined || Object.keys(config).length === 0 ? undefined : JSON.stringify(config, null, 2)

export const modelText = (model: Model): string => JSON.stringify(sortParameters(model), null, 2)
