/** Converts Langfuse prompts, for the service and the client's importers alike. */
import type { ModelInput, PromptMessage } from './version-content.ts'

type Fields = Readonly<Record<string, unknown>>

/** The slug for a name: lower case, with hyphens in place of characters that slugs cannot have. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 128)
    .replace(/-+$/, '') || 'imported'

/** The messages of a chat prompt; undefined if one has a form unknown to Langfuse. */
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

/** The model in a prompt's settings, under the names that applications use; undefined if there is none. */
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
 * The integers that Langfuse uses as version names, oldest first: a version whose name is an integer has that number, any
 * other has the one after the highest before it.
 */
export function versionNumbers(oldestFirst: readonly NamedPrompt[]): number[] {
  let highest = 0
  return oldestFirst.map(({ version }) => {
    const own = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : highest + 1
    highest = Math.max(highest, own)
    return own
  })
}

/** The version with a number; a version with this name takes precedence over one that was only assigned the number. */
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
