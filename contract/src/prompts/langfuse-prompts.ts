/** How prompts of Langfuse are prompts here: the service and the importers of the client read them alike. */
import type { ModelInput, PromptMessage } from './version-content.ts'

type Fields = Readonly<Record<string, unknown>>

/** A slug of a name: lower case, with hyphens for what a slug cannot have. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 128)
    .replace(/-+$/, '') || 'imported'

/** The messages of a chat prompt; undefined where one has a form that Langfuse does not have. */
export function readChatMessages(prompt: readonly unknown[]): PromptMessage[] | undefined {
  const messages = prompt.map(readMessage)
  return messages.includes(undefined) ? undefined : (messages as PromptMessage[])
}

function readMessage(message: unknown): PromptMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { role, content, type, name } = message as Fields
  if ((type === 'placeholder' || content === undefined) && typeof name === 'string' && name !== '')
    return { placeholder: name }
  return typeof role === 'string' && role !== '' && typeof content === 'string'
    ? { role, content }
    : undefined
}

const parameterNames = {
  temperature: 'temperature',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  max_tokens: 'maxLength',
  maxTokens: 'maxLength',
  max_completion_tokens: 'maxLength',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
} as const

/** The model that the settings of a prompt name, by the names that applications give them; undefined without any. */
export function modelOfConfig(config: Fields): ModelInput | undefined {
  const parameters: Record<string, number | string> = {}
  for (const [name, own] of Object.entries(parameterNames)) {
    const value = config[name]
    if (typeof value === 'number' && Number.isFinite(value)) parameters[own] = value
  }
  if (typeof config.reasoning_effort === 'string') parameters.reasoningEffort = config.reasoning_effort
  const model = typeof config.model === 'string' ? config.model : undefined
  const provider = typeof config.provider === 'string' ? config.provider : undefined
  if (model === undefined && provider === undefined && Object.keys(parameters).length === 0) return undefined
  return {
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  }
}

interface NamedPrompt {
  readonly version: string
}

/**
 * The whole numbers by which Langfuse calls versions, oldest first: a version that is called by one has it, any other
 * the one after the highest before it.
 */
export function versionNumbers(oldestFirst: readonly NamedPrompt[]): number[] {
  let highest = 0
  return oldestFirst.map(({ version }) => {
    const own = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : highest + 1
    highest = Math.max(highest, own)
    return own
  })
}

/** The version of a number; one that is called by it comes before one that only counts as it. */
export function versionOfNumber<Version extends NamedPrompt>(
  newestFirst: readonly Version[],
  number: number,
): Version | undefined {
  const oldestFirst = newestFirst.toReversed()
  return (
    newestFirst.find(({ version }) => version === String(number)) ??
    oldestFirst[versionNumbers(oldestFirst).indexOf(number)]
  )
}
