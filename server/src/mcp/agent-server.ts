/** The MCP server of one caller: the tools that its scopes allow, each an operation of the interface. */

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { Scope } from '@plumbline/contract'
import { allows } from '../requests/allows.ts'
import { cutTexts } from './cut-texts.ts'
import { type Tool, tools } from './tools.ts'

/** Asks the interface as the caller would; `answer` is the JSON of its body. */
export type Ask = (
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly status: number
  readonly answer: unknown
}>

/** Cuts long texts unless the agent asks for more: a model's context is small. */
const textField = 'textCharactersMax'
const textCharactersMax = 2000

const instructions =
  'Plumbline records what an application with language models does. Find runs with search_traces, look into one with open_trace, count with query_metrics; read prompts, compare their versions, and propose a new one where the key allows it.'

// The low-level server: `McpServer` wants its schemas in another library, and the contract has them already.
export function makeAgentServer(scopes: readonly Scope[], ask: Ask): Server {
  const allowed = new Map(
    tools
      .filter(({ operation }) => allows(scopes, operation.scope) || allows(scopes, operation.orScope ?? null))
      .map((tool) => [tool.name, tool]),
  )
  const server = new Server(
    { name: 'plumbline', title: 'Plumbline', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...allowed.values()].map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = allowed.get(params.name)
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}" for this key.`)
    return call(tool, params.arguments ?? {}, ask)
  })
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
  const own = Object.fromEntries(fields.filter(([name]) => tool.own?.[name] !== undefined))
  const input = Object.fromEntries(fields.filter(([name]) => tool.own?.[name] === undefined))
  const { status, answer } = await ask(tool, { ...tool.defaults, ...input })
  if (status >= 400) return failure((answer as { error: string }).error)
  const content = cutTexts(
    tool.shape?.(answer, own) ?? answer,
    (charactersMax as number | undefined) ?? textCharactersMax,
  ) as Record<string, unknown>
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content }
}

/** An answer that the model can act on; a protocol error would end its turn. */
const failure = (error: string): CallToolResult => ({
  content: [{ type: 'text', text: error }],
  isError: true,
})

function describe({ name, title, description, operation, hiddenFields = [], own = {} }: Tool) {
  // A plain copy: a schema of the contract carries symbols and functions of its library.
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
        ...own,
        [textField]: {
          type: 'integer',
          minimum: 1,
          description: `Texts longer than this are cut; ${textCharactersMax} by default.`,
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
