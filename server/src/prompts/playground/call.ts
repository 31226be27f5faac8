/** Calls a model with the settings and tools of a run, through the AI SDK. */
import type { InputOf, operations } from '@plumbline/contract'
import type { JSONSchema7, LanguageModel, ModelMessage, ToolChoice, ToolSet } from 'ai'
import { isJson } from './json-message.ts'

export type Parameters = NonNullable<InputOf<typeof operations.playground.run>['parameters']>

/** Starts the call, without retries, since the user wants to see what happens. */
export async function startCall(
  model: LanguageModel,
  messages: ModelMessage[],
  parameters: Parameters,
  signal: AbortSignal,
) {
  const { streamText, jsonSchema, tool, Output } = await import('ai')
  // Prevents the SDK from logging unsupported settings to the console.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { temperature, topP, topK, maxLength, frequencyPenalty, presencePenalty } = parameters
  const tools: ToolSet = Object.fromEntries(
    readTools(parameters.tools).map(({ name, description, schema, strict }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema), ...(strict !== undefined && { strict }) }),
    ]),
  )
  const format = parameters.responseFormat === 'json_schema' ? readFormat(parameters.jsonObject) : undefined
  const hasTools = Object.keys(tools).length > 0
  return streamText({
    model,
    messages,
    allowSystemInMessages: true,
    // Prompts and providers default to 1; newer models reject even an explicit default.
    ...(temperature == null || temperature === 1 ? {} : { temperature }),
    ...(topP == null || topP === 1 ? {} : { topP }),
    ...(topK == null ? {} : { topK }),
    ...(maxLength == null ? {} : { maxOutputTokens: maxLength }),
    ...(frequencyPenalty == null ? {} : { frequencyPenalty }),
    ...(presencePenalty == null ? {} : { presencePenalty }),
    ...(hasTools ? { tools, toolChoice: choiceOf(parameters.toolChoice) } : {}),
    ...(format !== undefined
      ? { output: Output.object({ ...format.names, schema: jsonSchema(format.schema) }) }
      : parameters.responseFormat === 'json_object'
        ? { output: Output.json() }
        : {}),
    providerOptions: optionsOf(parameters, format?.strict),
    maxRetries: 0,
    abortSignal: signal,
    // Errors arrive as parts of the stream.
    onError: () => {},
    // Otherwise the SDK would download images itself, bypassing the network policy; null leaves them to the provider.
    experimental_download: async (downloads) => downloads.map(() => null),
  })
}

export const cutProblem = 'The response ended before it was complete.'

/** Whether a stream ended without a finish reason, for example because a proxy closed it or returned a web page. */
export const wasCut = (finish: {
  readonly finishReason: string
  readonly rawFinishReason: string | undefined
}): boolean => finish.finishReason === 'other' && finish.rawFinishReason === undefined

interface ToolDefinition {
  readonly name: string
  readonly description: string | undefined
  readonly schema: JSONSchema7
  readonly strict: boolean | undefined
}

/** Reads tools in the formats of OpenAI, nested or flat, and Anthropic. */
function readTools(tools: unknown): ToolDefinition[] {
  return (Array.isArray(tools) ? tools : []).flatMap((each: unknown) => {
    if (!isJson(each)) return []
    const definition = isJson(each.function) ? each.function : each
    const { name, description, parameters, input_schema: inputSchema, strict } = definition
    if (typeof name !== 'string' || name === '') return []
    return [
      {
        name,
        description: typeof description === 'string' ? description : undefined,
        schema: schemaOf(parameters ?? inputSchema),
        strict: typeof strict === 'boolean' ? strict : undefined,
      },
    ]
  })
}

interface ResponseFormat {
  readonly schema: JSONSchema7
  readonly names: { readonly name?: string; readonly description?: string }
  /** Undefined leaves it to the library, whose default is strict. */
  readonly strict: boolean | undefined
}

/**
 * A schema may be bare, or wrapped with a name in OpenAI's format: then it is strict only if the wrapper says so, as with
 * OpenAI.
 */
function readFormat(value: unknown): ResponseFormat {
  const wrapper = isJson(value) && isJson(value.json_schema) ? value.json_schema : value
  const schema = schemaOf(wrapper)
  if (!isJson(wrapper) || wrapper.schema !== schema) return { schema, names: {}, strict: undefined }
  const { name, description, strict } = wrapper
  const names = {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof description === 'string' && { description }),
  }
  return { schema, names, strict: strict === true }
}

function schemaOf(value: unknown): JSONSchema7 {
  if (!isJson(value)) return { type: 'object', properties: {} }
  // Safe: the provider rejects an invalid schema with its own message.
  return (isJson(value.schema) ? value.schema : value) as JSONSchema7
}

function choiceOf(choice: unknown): ToolChoice<ToolSet> {
  if (choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  // Anthropic uses an object for each choice.
  if (isJson(choice) && typeof choice.type === 'string' && ['none', 'any'].includes(choice.type))
    return choiceOf(choice.type)
  const toolName = isJson(choice) ? (isJson(choice.function) ? choice.function.name : choice.name) : undefined
  return typeof toolName === 'string' ? { type: 'tool', toolName } : 'auto'
}

/** Options that some providers support and others ignore. */
function optionsOf({ reasoningEffort, verbosity }: Parameters, strictJsonSchema: boolean | undefined) {
  const options = {
    ...(reasoningEffort == null ? {} : { reasoningEffort }),
    ...(verbosity == null ? {} : { textVerbosity: verbosity }),
    ...(strictJsonSchema === undefined ? {} : { strictJsonSchema }),
  }
  return { openai: options, azure: options, compatible: options }
}
