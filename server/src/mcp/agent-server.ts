/**
 * The MCP server of one caller: the tools that its scopes allow, each an operation of the interface, and the production
 * prompts.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { Scope } from '@plumbline/contract'
import { packageVersion } from '../process/process-metrics.ts'
import { allows } from '../requests/allows.ts'
import { type Ask, errorOf } from './ask.ts'
import { cutTexts, fitTexts } from './cut-texts.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { type Tool, tools } from './tools.ts'

/** The field by which an agent sets how long texts may be. By default they are cut, since a model's context is small. */
const textField = 'textCharactersMax'
const textCharactersMax = 2000
/** Clients reject responses that are much longer. */
const answerCharactersMax = 60_000

const instructions =
  'Plumbline records what an application with language models does. Find runs with search_traces, look into one with open_trace, find_logs and open_log, count with query_metrics, and ask explain_change why a figure rose or fell; read conversations and prompts, compare versions, and propose a new one where the key allows it.'

// The low-level server: `McpServer` expects schemas of another library, and the contract already has them.
export function makeAgentServer(scopes: readonly Scope[], ask: Ask): Server {
  const allowed = new Map(
    tools
      .filter(({ operation }) => allows(scopes, operation.scope) || allows(scopes, operation.orScope ?? null))
      .map((tool) => [tool.name, tool]),
  )
  const server = new Server(
    { name: 'plumbline', title: 'Plumbline', version: packageVersion() },
    { capabilities: { tools: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...allowed.values()].map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = allowed.get(params.name)
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}" for this key.`)
    return call(tool, params.arguments ?? {}, ask)
  })
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => listPrompts(ask, params?.cursor))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(ask, params.name, params.arguments ?? {}),
  )
  return server
}

async function call(
  tool: Tool,
  toolInput: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<CallToolResult> {
  const { [textField]: charactersMax, ...rest } = toolInput
  if (charactersMax !== undefined && !(Number.isInteger(charactersMax) && (charactersMax as number) > 0))
    return failure(`${textField}: must be a whole number above 0`)
  const fields = Object.entries(rest).filter(([name]) => !tool.hiddenFields?.includes(name))
  const { status, answer } = await ask(tool.operation, { ...tool.defaults, ...Object.fromEntries(fields) })
  if (status >= 400) return failure(errorOf(answer))
  const content = tool.shape?.(answer) ?? answer
  const { value, text } =
    charactersMax === undefined
      ? fitTexts(content, textCharactersMax, answerCharactersMax)
      : cutTexts(content, charactersMax as number)
  return { content: [{ type: 'text', text }], structuredContent: value as Record<string, unknown> }
}

/** A response that the model can act on; a protocol error would end its turn. */
const failure = (error: string): CallToolResult => ({
  content: [{ type: 'text', text: error }],
  isError: true,
})

function describe({ name, title, description, operation, hiddenFields = [] }: Tool) {
  // A plain copy, since schemas of the contract contain symbols and functions of their library.
  const {
    properties,
    required = [],
    patternProperties,
  } = JSON.parse(JSON.stringify(operation.input)) as {
    properties: Record<string, object>
    required?: string[]
    patternProperties?: Record<string, object>
  }
  for (const field of hiddenFields) delete properties[field]
  const isReading = operation.scope === 'read'
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...properties,
        [textField]: {
          type: 'integer',
          minimum: 1,
          description: `Texts longer than this are cut; ${textCharactersMax} by default, and less if the response would be very long.`,
        },
      },
      required: required.filter((field) => !hiddenFields.includes(field)),
      ...(patternProperties === undefined ? {} : { patternProperties }),
    },
    annotations: {
      title,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
  }
}
