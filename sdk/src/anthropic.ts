/** Records the calls of Anthropic's clients, also for Bedrock and Vertex: `wrapAnthropic(new Anthropic(), { plumbline })`. */
import type { GenerationFields } from './recording/recording.ts'
import type { WrapOptions } from './wrapping/begin-call.ts'
import {
  type Assembly,
  type ClientShape,
  type KnownFields,
  type RecordedMethod,
  wrapClient,
} from './wrapping/wrap-client.ts'

export type { WrapOptions } from './wrapping/begin-call.ts'

/**
 * Wraps a client so that `messages` (`create`, `parse`, `stream`; also in `beta`) are recorded: as a generation of the current
 * trace or log, or of `options.parent`, or as a trace of its own. The rest passes through.
 */
export function wrapAnthropic<Client extends object>(client: Client, options: WrapOptions): Client {
  return wrapClient(client, shape, options)
}

interface Usage {
  readonly input_tokens?: number
  readonly output_tokens?: number
}

interface Message {
  readonly model?: string
  readonly role?: string
  readonly content?: unknown
  readonly stop_reason?: string | null
  readonly usage?: Usage
}

function readRequest([body]: readonly unknown[]): GenerationFields {
  const { model, messages, system, stream, ...parameters } = body as Record<string, unknown>
  const conversation = Array.isArray(messages) ? messages : []
  const hasSystem = (typeof system === 'string' || Array.isArray(system)) && system.length > 0
  return {
    name: typeof model === 'string' ? `anthropic.messages ${model}` : 'anthropic.messages',
    input: hasSystem ? [{ role: 'system', content: system }, ...conversation] : conversation,
    ...(typeof model === 'string' ? { model } : {}),
    provider: 'anthropic',
    metadata: { ...(stream === true ? { stream } : {}), parameters },
  }
}

function readMessage(response: unknown): KnownFields {
  const { model, role = 'assistant', content, stop_reason, usage } = response as Message
  return {
    ...(model === undefined ? {} : { model }),
    output: { role, content },
    metadata: { finishReason: stop_reason },
    ...(usage === undefined
      ? {}
      : { usage, inputTokens: usage.input_tokens ?? null, outputTokens: usage.output_tokens ?? null }),
  }
}

interface Block {
  type?: string
  text?: string
  thinking?: string
  signature?: string
  citations?: unknown[] | null
  input?: unknown
}

interface StreamEvent {
  readonly type: string
  readonly index: number
  readonly message?: Message
  readonly content_block?: Block
  readonly delta?: {
    readonly text?: string
    readonly thinking?: string
    readonly signature?: string
    readonly citation?: unknown
    readonly partial_json?: string
    readonly stop_reason?: string
  }
  readonly usage?: Usage
}

function assembleMessage(): Assembly {
  let message: Message | undefined
  let usage: Usage = {}
  let finish: string | undefined
  const blocks: Block[] = []
  return {
    add(part) {
      const event = part as StreamEvent
      if (event.type === 'message_start') message = event.message
      if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block }
      if (event.type === 'content_block_delta') {
        blocks[event.index] ??= { type: 'text' }
        addDelta(blocks[event.index] as Block, event.delta ?? {})
      }
      if (event.type === 'message_delta') finish = event.delta?.stop_reason
      usage = { ...usage, ...present(event.message?.usage), ...present(event.usage) }
      const startsWhole = event.content_block !== undefined && !isWrittenInTexts(event.content_block)
      return event.type === 'content_block_delta' || startsWhole
    },
    fields: () =>
      message === undefined
        ? {}
        : readMessage({
            ...message,
            content: blocks.filter(Boolean).map(withInput),
            stop_reason: finish ?? null,
            usage,
          }),
  }
}

/** Blocks of these types start empty. */
const isWrittenInTexts = ({ type }: Block): boolean => type === 'text' || type === 'thinking'

function addDelta(block: Block, delta: NonNullable<StreamEvent['delta']>): void {
  const { text, thinking, signature, citation, partial_json } = delta
  if (signature !== undefined) block.signature = signature
  if (citation !== undefined) block.citations = [...(block.citations ?? []), citation]
  if (text !== undefined) block.text = (block.text ?? '') + text
  if (thinking !== undefined) block.thinking = (block.thinking ?? '') + thinking
  if (partial_json !== undefined)
    block.input = (typeof block.input === 'string' ? block.input : '') + partial_json
}

/** Tool arguments arrive as JSON text. */
function withInput(block: Block): Block {
  if (typeof block.input !== 'string' || !block.type?.endsWith('tool_use')) return block
  try {
    return { ...block, input: JSON.parse(block.input || '{}') }
  } catch {
    return block
  }
}

const present = (usage: Usage | undefined): Usage =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null))

const messages: RecordedMethod = {
  request: readRequest,
  whole: readMessage,
  newAssembly: assembleMessage,
  signal: ([, options]) => Object(options).signal,
}

const shape: ClientShape = {
  methods: { 'messages.create': messages, 'beta.messages.create': messages },
  // They call `create` on the same object.
  conveniences: [
    'messages.stream',
    'messages.parse',
    'beta.messages.stream',
    'beta.messages.parse',
    'beta.messages.toolRunner',
    'beta.messages._toolRunnerThread',
    'beta.messages.thread',
  ],
  copies: ['withOptions'],
  references: { _client: '' },
}
