/** Calls a model with the settings and tools of a run, through the AI SDK. */
import type { InputOf, operations } from '@plumbline/contract'
import type { JSONSchema7, LanguageModel, ModelMessage, ToolChoice, ToolSet } from 'ai'

export type Parameters = NonNullable<InputOf<typeof operations.playground.run>['parameters']>

/** Starts the call, without retries: the user wants to see what happens. */
export async function startCall(
  model: LanguageModel,
  messages: ModelMessage[],
  parameters: Parameters,
  signal: AbortSignal,
) {
  const { streamText, jsonSchema, tool, Output } = await import('ai')
  // Keeps the SDK from logging unsupported settings to the console.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { temperature, topP, topK, maxLength, frequencyPenalty, presencePenalty } = parameters
  const tools: ToolSet = Object.fromEntries(
    readTools(parameters.tools).map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema) }),
    ]),
  )
  const hasTools = Object.keys(tools).length > 0
  return streamText({
    model,
    messages,
    allowSystemInMessages: true,
    // 1 is the default of prompts and providers; newer models reject even an explicit default.
    ...(temperature == null || temperature === 1 ? {} : { temperature }),
    ...(topP == null || topP === 1 ? {} : { topP }),
    ...(topK == null ? {} : { topK }),
    ...(maxLength == null ? {} : { maxOutputTokens: maxLength }),
    ...(frequencyPenalty == null ? {} : { frequencyPenalty }),
    ...(presencePenalty == null ? {} : { presencePenalty }),
    ...(hasTools ? { tools, toolChoice: choiceOf(parameters.toolChoice) } : {}),
    ...(parameters.responseFormat === 'json_schema'
      ? { output: Output.object({ schema: jsonSchema(schemaOf(parameters.jsonObject)) }) }
      : parameters.responseFormat === 'json_object'
        ? { output: Output.json() }
        : {}),
    providerOptions: optionsOf(parameters),
    maxRetries: 0,
    abortSignal: signal,
    // Errors arrive as parts of the stream.
    onError: () => {},
    // Otherwise the SDK would download images itself, past the network policy; null leaves them to the provider.
    experimental_download: async (downloads) => downloads.map(() => null),
  })
}

interface ToolDefinition {
  readonly name: string
  readonly description: string | undefined
  readonly schema: JSONSchema7
}

/** Reads tools in the formats of OpenAI, nested or flat, and Anthropic. */
function readTools(tools: unknown): ToolDefinition[] {
  return (Array.isArray(tools) ? tools : []).flatMap((each: unknown) => {
    if (!isJson(each)) return []
    const definition = isJson(each.function) ? each.function : each
    const { name, description, parameters, input_schema: inputSchema } = definition
    if (typeof name !== 'string' || name === '') return []
    return [
      {
        name,
        description: typeof description === 'string' ? description : undefined,
        schema: schemaOf(parameters ?? inputSchema),
      },
    ]
  })
}

/** A schema may be bare, or wrapped with a name as OpenAI does. */
function schemaOf(value: unknown): JSONSchema7 {
  if (!isJson(value)) return { type: 'object', properties: {} }
  const wrapped = isJson(value.json_schema) ? value.json_schema : value
  // Safe: the provider rejects an invalid schema with its own message.
  return (isJson(wrapped.schema) ? wrapped.schema : wrapped) as JSONSchema7
}

function choiceOf(choice: unknown): ToolChoice<ToolSet> {
  if (choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const toolName = isJson(choice) ? (isJson(choice.function) ? choice.function.name : choice.name) : undefined
  return typeof toolName === 'string' ? { type: 'tool', toolName } : 'auto'
}

/** Options that some providers support and others ignore. */
function optionsOf({ reasoningEffort, verbosity }: Parameters) {
  const options = {
    ...(reasoningEffort == null ? {} : { reasoningEffort }),
    ...(verbosity == null ? {} : { textVerbosity: verbosity }),
  }
  return { openai: options, azure: options, compatible: options }
}

const isJson = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
