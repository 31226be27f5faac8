/** Records runs of LangChain and LangGraph: `chain.invoke(input, { callbacks: [plumblineCallback({ plumbline })] })`. */
import type { Plumbline } from './client/client.ts'
import type { GenerationFields, LogType, Recording } from './recording/recording.ts'

export interface CallbackOptions {
  readonly plumbline: Pick<Plumbline, 'start'>
  /** The trace or log that the outermost runs belong to; by default the current one, or else each run is a trace. */
  readonly parent?: Recording
}

type Values = Readonly<Record<string, unknown>>

/** The data of a LangChain run when it starts. */
interface Run {
  readonly type: LogType
  readonly runnable: unknown
  readonly input: unknown
  readonly runId: string
  readonly parentRunId?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Values | undefined
  readonly name?: string | undefined
  readonly parameters?: Values | undefined
}

/**
 * A callback handler for any LangChain run. The `metadata` of a run can set `userId`, `sessionId` and `feature`; its tags
 * become those of the trace.
 */
export function plumblineCallback({ plumbline, parent }: CallbackOptions) {
  const recordings = new Map<string, Recording<GenerationFields>>()
  /** Start times of model calls that have not written anything yet. */
  const starts = new Map<string, number>()

  function start(run: Run): void {
    const enclosing = recordings.get(run.parentRunId ?? '')
    const isGeneration = run.type === 'generation'
    const values = {
      name: run.name ?? nameOf(run.runnable) ?? run.type,
      input: readable(run.input),
      ...(isGeneration ? readParameters(run) : {}),
      ...(enclosing === undefined ? readRun(run) : {}),
    }
    recordings.set(
      run.runId,
      plumbline.start<GenerationFields>(run.type, values, { parent: (enclosing as Recording) ?? parent }),
    )
    if (isGeneration) starts.set(run.runId, performance.now())
  }

  function end(runId: string, values: GenerationFields): void {
    const recording = recordings.get(runId)
    recordings.delete(runId)
    starts.delete(runId)
    recording?.end(values)
  }

  /** Handles a streamed token; some chunks have no content from the model. */
  function addToken(
    token: unknown,
    _index: unknown,
    runId: string,
    _parentRunId?: string,
    _tags?: string[],
    fields?: { readonly chunk?: unknown },
  ): void {
    const startedAt = starts.get(runId)
    if (startedAt === undefined || !(token || hasContent(fields?.chunk))) return
    starts.delete(runId)
    recordings.get(runId)?.update({ timeToFirstTokenMs: Math.round(performance.now() - startedAt) })
  }

  /** Tools and retrievers start in the same way. */
  const startOf =
    (type: LogType) =>
    (
      runnable: unknown,
      input: unknown,
      runId: string,
      parentRunId?: string,
      tags?: string[],
      metadata?: Values,
      name?: string,
    ): void =>
      start({ type, runnable, input, runId, parentRunId, tags, metadata, name })

  /** Text models and chat models also start in the same way: `prompts` has one text or message list for each call of a batch. */
  function startGeneration(
    runnable: unknown,
    prompts: readonly unknown[],
    runId: string,
    parentRunId?: string,
    extra?: Values,
    tags?: string[],
    metadata?: Values,
    name?: string,
  ): void {
    const parameters = Object(extra?.invocation_params) as Values
    const input = single(prompts)
    start({
      type: 'generation',
      ...{ runnable, input, runId, parentRunId, tags, metadata, name, parameters },
    })
  }

  return {
    name: 'plumbline',
    // Handlers run in order and are awaited, so that the current recording is that of the caller.
    awaitHandlers: true,
    handleChainStart(
      runnable: unknown,
      input: unknown,
      runId: string,
      parentRunId?: string,
      tags?: string[],
      metadata?: Values,
      _type?: string,
      name?: string,
    ): void {
      start({ type: 'span', runnable, input, runId, parentRunId, tags, metadata, name })
    },
    handleChainEnd: (outputs: unknown, runId: string): void => end(runId, { output: readable(outputs) }),
    handleChainError: (error: unknown, runId: string): void => end(runId, readError(error)),
    handleToolStart: startOf('tool'),
    handleToolEnd: (output: unknown, runId: string): void =>
      end(runId, { output: readable(Object(output).content ?? output) }),
    handleToolError: (error: unknown, runId: string): void => end(runId, readError(error)),
    handleRetrieverStart: startOf('retrieval'),
    handleRetrieverEnd: (documents: readonly unknown[], runId: string): void =>
      end(runId, { output: documents.map(readDocument) }),
    handleRetrieverError: (error: unknown, runId: string): void => end(runId, readError(error)),
    handleLLMStart: startGeneration,
    handleLLMNewToken: addToken,
    handleChatModelStart: startGeneration,
    handleLLMEnd: (result: unknown, runId: string): void => end(runId, readResult(result)),
    handleLLMError: (error: unknown, runId: string): void => end(runId, readError(error)),
  }
}

function hasContent(chunk: unknown): boolean {
  const { content, tool_call_chunks } = Object(Object(chunk).message) as Values
  return [content, tool_call_chunks].some((each) => Array.isArray(each) && each.length > 0)
}

const single = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values)

/** The class of a run: the last part of its id. */
function nameOf(runnable: unknown): string | undefined {
  const { id, name } = Object(runnable) as { readonly id?: readonly string[]; readonly name?: string }
  return name ?? id?.at(-1)
}

/** Fields of the whole trace, from the outermost run. */
function readRun({ metadata = {}, tags = [] }: Run): Values {
  const { userId, user_id, sessionId, session_id, thread_id, feature, ...rest } = metadata
  const own = Object.entries(rest).filter(([name]) => !name.startsWith('ls_'))
  const user = userId ?? user_id
  return {
    ...(user === undefined ? {} : { user: { id: String(user), name: String(user) } }),
    sessionId: sessionId ?? session_id ?? thread_id,
    featureSlug: feature,
    ...(tags.length > 0 ? { tags } : {}),
    metadata: Object.fromEntries(own),
  }
}

function readParameters({ parameters = {}, metadata = {} }: Run): Values {
  const { model, model_name, modelName, _type, ...rest } = parameters
  return {
    model: model ?? model_name ?? modelName ?? metadata.ls_model_name,
    provider: metadata.ls_provider,
    metadata: { parameters: rest },
  }
}

/** LangGraph throws to wait for a person or to hand over to the enclosing graph: neither is a failure. */
function readError(error: unknown): GenerationFields {
  const { is_bubble_up, interrupts, command } = Object(error) as Values
  return is_bubble_up === true ? { output: readable(interrupts ?? command) } : { error }
}

const readDocument = (document: unknown): object => {
  const { id, pageContent, metadata } = Object(document) as Values
  return { id, pageContent, metadata }
}

/** Converts messages at any depth to the form that models accept; leaves everything else unchanged. */
function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(readable)
  // Safe: only messages have this method.
  if ('_getType' in value || 'getType' in value) return readMessage(value as ChainMessage)
  if ('toChatMessages' in value && typeof value.toChatMessages === 'function')
    return readable(value.toChatMessages())
  // A LangGraph command, which may contain messages.
  if ('lg_name' in value && 'toJSON' in value && typeof value.toJSON === 'function')
    return readable(value.toJSON())
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each)]))
}

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

interface ChainMessage {
  getType?(): string
  _getType?(): string
  readonly role?: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[]
  readonly tool_call_id?: string
}

function readMessage(message: ChainMessage): object {
  const type = message.getType?.() ?? message._getType?.() ?? 'user'
  const calls = message.tool_calls?.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return {
    role: message.role ?? roles[type] ?? type,
    content: message.content,
    ...(calls === undefined || calls.length === 0 ? {} : { tool_calls: calls }),
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: message.tool_call_id }),
  }
}

interface ChainResult {
  readonly generations: readonly (readonly {
    readonly text?: string
    readonly message?: ChainMessage & Values
  }[])[]
  readonly llmOutput?: Values | undefined
}

function readResult(result: unknown): GenerationFields {
  const { generations, llmOutput = {} } = result as ChainResult
  const outputs = generations.flat()
  const message = outputs.find((each) => each.message !== undefined)?.message
  const usage = Object(message?.usage_metadata ?? llmOutput.tokenUsage ?? llmOutput.usage) as Readonly<
    Record<string, number>
  >
  const facts = Object(message?.response_metadata) as Values
  const model = facts.model_name ?? facts.model ?? llmOutput.model_name
  const { service_tier } = facts
  return {
    output: single(
      outputs.map((each) => (each.message === undefined ? each.text : readMessage(each.message))),
    ),
    ...(Object.keys(usage).length === 0
      ? {}
      : {
          usage: { ...usage, ...(typeof service_tier === 'string' && { service_tier }) },
          inputTokens: usage.input_tokens ?? usage.promptTokens ?? usage.prompt_tokens ?? null,
          outputTokens: usage.output_tokens ?? usage.completionTokens ?? usage.completion_tokens ?? null,
        }),
    ...(typeof model === 'string' ? { model } : {}),
  }
}
