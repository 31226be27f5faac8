/** The production prompts as MCP prompts: users choose one in their client, which asks for its variables. */
import {
  ErrorCode,
  type GetPromptResult,
  type ListPromptsResult,
  McpError,
  type PromptMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { type OutputOf, operations } from '@plumbline/contract'
import { renderPrompt } from '@plumbline/contract/templates'
import { type Ask, read } from './ask.ts'

type DescribedPrompt = OutputOf<typeof operations.prompts.describe>['prompt']
type Variable = DescribedPrompt['variables'][number]

/** Each prompt of a page is described by a separate request. */
const pageSize = 50

export async function listPrompts(ask: Ask, cursor: string | undefined): Promise<ListPromptsResult> {
  const { prompts, nextCursor } = await read(ask, operations.prompts.list, {
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  })
  const live = prompts.filter(({ status }) => status === 'live')
  const described = await Promise.all(
    live.map(async ({ slug }) => (await read(ask, operations.prompts.describe, { slug })).prompt),
  )
  return {
    prompts: described.map(({ slug, name, description, variables }) => ({
      name: slug,
      title: name,
      ...(description === '' ? {} : { description }),
      arguments: variables.map(toArgument),
    })),
    ...(nextCursor === null ? {} : { nextCursor }),
  }
}

/** No argument is required, since a template also renders without its variables. */
const toArgument = ({ label, type, description }: Variable) => ({
  name: label,
  description: description ?? (isJson(type) ? `JSON: an ${type}.` : `A ${type}.`),
  required: false,
})

export async function getPrompt(
  ask: Ask,
  slug: string,
  texts: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const [{ prompt }, { prompt: described }] = await Promise.all([
    read(ask, operations.prompts.get, { slug }),
    read(ask, operations.prompts.describe, { slug }),
  ])
  const types = new Map(described.variables.map(({ label, type }) => [label, type]))
  const variables = Object.entries(texts).map(([label, text]) => ({
    label,
    value: readArgument(label, types.get(label), text),
  }))
  const rendered = renderPrompt(prompt, variables)
  if (rendered.type === 'failed') throw new McpError(ErrorCode.InvalidParams, rendered.reason)
  return {
    ...(described.description === '' ? {} : { description: described.description }),
    messages: rendered.messages.map(toMessage),
  }
}

const isJson = (type: string): boolean => type === 'array' || type === 'object'

/** Arguments arrive as texts. */
function readArgument(label: string, type: string | undefined, text: string): unknown {
  if (type === 'boolean') return text !== '' && text !== 'false'
  if (type === undefined || !isJson(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new McpError(ErrorCode.InvalidParams, `${label}: must be the JSON of an ${type}`)
  }
}

/** MCP has no system messages: their texts become user messages. */
const toMessage = ({
  role,
  content,
}: {
  readonly role: string
  readonly content: string
}): PromptMessage => ({
  role: role === 'assistant' ? 'assistant' : 'user',
  content: { type: 'text', text: content },
})
