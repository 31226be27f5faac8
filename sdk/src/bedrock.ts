/** Records the calls of the AWS Bedrock client: `wrapBedrock(new BedrockRuntimeClient({ … }), { plumbline })`. */
import type { GenerationFields } from './recording/recording.ts'
import type { WrapOptions } from './wrapping/begin-call.ts'
import {
  type Assembly,
  type KnownFields,
  type RecordedMethod,
  withoutNull,
  wrapClient,
} from './wrapping/wrap-client.ts'

export type { WrapOptions } from './wrapping/begin-call.ts'

/**
 * Wraps a client so that `send` records `Converse`, `ConverseStream`, `InvokeModel` and `InvokeModelWithResponseStream`: as a
 * generation of the current trace or log, or of `options.parent`, or as a trace of its own. Other commands pass through.
 */
export function wrapBedrock<Client extends object>(client: Client, options: WrapOptions): Client {
  return wrapClient(client, { methods: { send: makeSend() } }, options)
}

interface Command {
  readonly input: Readonly<Record<string, unknown>>
}

const kinds: Readonly<Record<string, string>> = {
  ConverseCommand: 'converse',
  ConverseStreamCommand: 'converse',
  InvokeModelCommand: 'invoke',
  InvokeModelWithResponseStreamCommand: 'invoke',
}
const kindOf = (command: unknown): string | undefined => kinds[(Object(command) as object).constructor.name]

function readRequest([command]: readonly unknown[]): GenerationFields {
  const kind = kindOf(command)
  const { modelId, messages, system, body, ...parameters } = (command as Command).input
  const conversation = Array.isArray(messages) ? messages : []
  return {
    name: `bedrock.${kind} ${modelId}`,
    input:
      kind === 'invoke'
        ? readBody(body)
        : system === undefined
          ? messages
          : [{ role: 'system', content: system }, ...conversation],
    model: String(modelId),
    provider: 'bedrock',
    metadata: { parameters },
  }
}

/** The body of a model's own protocol: JSON as bytes or text. */
function readBody(body: unknown): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface ConverseResponse {
  readonly output?: { readonly message?: unknown }
  readonly stopReason?: string
  readonly usage?: object & { readonly inputTokens?: number; readonly outputTokens?: number }
  readonly body?: unknown
}

function readResponse(response: unknown): KnownFields {
  const { output, stopReason, usage, body } = response as ConverseResponse
  if (body !== undefined) return readInvoked(readBody(body))
  return withoutNull({
    output: output?.message,
    metadata: { finishReason: stopReason },
    usage: usage as object,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
  })
}

/** Responses in models' own protocols, with the usage where most of them have it. */
function readInvoked(body: unknown): KnownFields {
  const { usage } = Object(body) as { readonly usage?: Readonly<Record<string, number>> }
  return withoutNull({
    output: body,
    usage: usage as object,
    inputTokens: usage?.input_tokens ?? usage?.inputTokens ?? usage?.prompt_tokens ?? null,
    outputTokens: usage?.output_tokens ?? usage?.outputTokens ?? usage?.completion_tokens ?? null,
  })
}

/** The token counts that Bedrock adds to the last chunk of a model's own protocol. */
function readMetrics(chunk: unknown): KnownFields {
  const metrics = Object(chunk)['amazon-bedrock-invocationMetrics'] as
    | {
        readonly inputTokenCount?: number
        readonly outputTokenCount?: number
        readonly cacheReadInputTokenCount?: number
        readonly cacheWriteInputTokenCount?: number
      }
    | undefined
  if (metrics === undefined) return {}
  const {
    inputTokenCount: inputTokens = null,
    outputTokenCount: outputTokens = null,
    cacheReadInputTokenCount: cacheReadInputTokens,
    cacheWriteInputTokenCount: cacheWriteInputTokens,
  } = metrics
  const usage = { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens }
  return { usage, inputTokens, outputTokens }
}

interface ConverseEvent {
  readonly contentBlockStart?: {
    readonly contentBlockIndex: number
    readonly start?: { readonly toolUse?: object }
  }
  readonly contentBlockDelta?: {
    readonly contentBlockIndex: number
    readonly delta?: {
      readonly text?: string
      readonly toolUse?: { readonly input?: string }
      readonly reasoningContent?: { readonly text?: string; readonly signature?: string }
    }
  }
  readonly messageStop?: { readonly stopReason?: string }
  readonly metadata?: { readonly usage?: object }
  readonly chunk?: { readonly bytes?: Uint8Array }
}

interface Block {
  text?: string
  reasoningContent?: { readonly reasoningText: { readonly text: string; readonly signature?: string } }
  toolUse?: object & { input?: string }
}

function assemble(): Assembly {
  const blocks: Block[] = []
  const chunks: unknown[] = []
  let stopReason: string | undefined
  let usage: object | undefined
  const blockAt = (index: number): Block => {
    blocks[index] ??= {}
    return blocks[index]
  }
  return {
    add(part) {
      const { contentBlockStart, contentBlockDelta, messageStop, metadata, chunk } = part as ConverseEvent
      if (contentBlockStart?.start?.toolUse !== undefined)
        blockAt(contentBlockStart.contentBlockIndex).toolUse = { ...contentBlockStart.start.toolUse }
      if (contentBlockDelta !== undefined)
        addDelta(blockAt(contentBlockDelta.contentBlockIndex), contentBlockDelta.delta ?? {})
      stopReason = messageStop?.stopReason ?? stopReason
      usage = metadata?.usage ?? usage
      if (chunk?.bytes !== undefined) chunks.push(readBody(chunk.bytes))
      return contentBlockStart !== undefined || contentBlockDelta !== undefined || chunk !== undefined
    },
    fields() {
      if (chunks.length > 0) return { output: chunks, ...readMetrics(chunks.at(-1)) }
      const message = { role: 'assistant', content: blocks.filter(Boolean) }
      return readResponse({ output: { message }, stopReason, usage })
    },
  }
}

function addDelta(
  block: Block,
  { text, toolUse, reasoningContent }: NonNullable<NonNullable<ConverseEvent['contentBlockDelta']>['delta']>,
): void {
  if (reasoningContent !== undefined) {
    const { text = '', ...signature } = block.reasoningContent?.reasoningText ?? {}
    const { text: more = '', ...rest } = reasoningContent
    block.reasoningContent = { reasoningText: { text: text + more, ...signature, ...rest } }
  }
  if (text !== undefined) block.text = (block.text ?? '') + text
  if (toolUse !== undefined)
    block.toolUse = { ...block.toolUse, input: (block.toolUse?.input ?? '') + (toolUse.input ?? '') }
}

/** A conversation streams in `stream`, a model's own protocol in `body`. */
const makeSend = (): RecordedMethod => ({
  request: readRequest,
  whole: readResponse,
  newAssembly: assemble,
  signal: ([, options]) => Object(options).abortSignal,
  streamIn: (response) => (Object(response).stream === undefined ? 'body' : 'stream'),
  isRecorded: ([command]) => kindOf(command) !== undefined,
})
