/** What a run asks of a model: settings and tools, in the words of the AI SDK. */
import type { InputOf, operations } from '@plumbline/contract'
import type { JSONSchema7, LanguageModel, ModelMessage, ToolChoice, ToolSet } from 'ai'

export type Parameters = NonNullable<InputOf<typeof operations.playground.run>['parameters']>

/** Starts the call; nothing is tried twice, since whoever plays wants to see what happens. */
export async function startCall(
  model: LanguageModel,
  messages: ModelMessage[],
  parameters: Parameters,
  signal: AbortSignal,
) {
  const { streamText, jsonSchema, tool, Output } = await import('ai')
  // The SDK would write to the console of the service what a model does not take.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { temperature, topP, topK, maxLength, frequencyPenalty, presencePenalty } = parameters
  const tools: ToolSet = Object.fromEntries(
    statedTools(parameters.tools).map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema) }),
    ]),
  )
  const hasTools = Object.keys(tools).length > 0
  return streamText({
    model,
    messages,
    allowSystemInMessages: true,
    // 1 is the default of prompts and of providers; newer models refuse to be told even that.
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
    // Errors come as a part of the stream.
    onError: () => {},
    // Else the SDK would fetch images itself, past every guard; null leaves them to the provider.
    experimental_download: async (wanted) => wanted.map(() => null),
  })
}

interface StatedTool {
  readonly name: string
  readonly description: string | undefined
  readonly schema: JSONSchema7
}

/** Tools as OpenAI, nested or flat, or Anthropic write them. */
function statedTools(tools: unknown): StatedTool[] {
  return (Array.isArray(tools) ? tools : []).flatMap((each: unknown) => {
    if (!isJson(each)) return []
    const stated = isJson(each.function) ? each.function : each
    const { name, description, parameters, input_schema: inputSchema } = stated
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

/** A schema may stand by itself, or in OpenAI's wrapping with a name beside it. */
function schemaOf(value: unknown): JSONSchema7 {
  if (!isJson(value)) return { type: 'object', properties: {} }
  const wrapped = isJson(value.json_schema) ? value.json_schema : value
  // Safe: what is no schema is refused by the provider, in its own words.
  return (isJson(wrapped.schema) ? wrapped.schema : wrapped) as JSONSchema7
}

function choiceOf(choice: unknown): ToolChoice<ToolSet> {
  if (choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const named = isJson(choice) ? (isJson(choice.function) ? choice.function.name : choice.name) : undefined
  return typeof named === 'string' ? { type: 'tool', toolName: named } : 'auto'
}

/** Options that some providers know and others pass over. */
function optionsOf({ reasoningEffort, verbosity }: Parameters) {
  const options = {
    ...(reasoningEffort == null ? {} : { reasoningEffort }),
    ...(verbosity == null ? {} : { textVerbosity: verbosity }),
  }
  return { openai: options, azure: options, compatible: options }
}

const isJson = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
