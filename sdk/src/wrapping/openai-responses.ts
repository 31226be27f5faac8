/** Reads OpenAI-style responses, whole or streamed, as fields of a generation. */
import type { Assembly, KnownFields } from './wrap-client.ts'

interface ToolCall {
  index: number
  id?: string | null
  type?: string | null
  function?: { name?: string | null; arguments?: string | null }
}

interface Message {
  role?: string
  content?: string | null
  refusal?: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: ToolCall[]
}

interface Choice {
  index: number
  text?: string
  message?: Message
  delta?: Message
  finish_reason?: string | null
}

/** A chat completion, or one chunk of it. */
interface ChatPart {
  readonly model?: string
  readonly choices?: readonly Choice[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
  readonly service_tier?: string | null | undefined
}

/** The usage with the service tier, which OpenAI reports beside it: token prices depend on it. */
const withTier = (usage: object, tier: string | null | undefined): object =>
  tier == null ? usage : { ...usage, service_tier: tier }

/** The casts apply to responses of another service; if a reader throws, nothing is recorded. */
export function readChat(answer: unknown): KnownFields {
  const { model, choices = [], usage, service_tier } = answer as ChatPart
  const messages = choices.map(({ message, text }) => message ?? text)
  const finishReasons = choices.map(({ finish_reason }) => finish_reason)
  return {
    ...(model === undefined ? {} : { model }),
    output: messages.length === 1 ? messages[0] : messages,
    ...(usage == null
      ? {}
      : {
          usage: withTier(usage, service_tier),
          inputTokens: usage.prompt_tokens ?? null,
          outputTokens: usage.completion_tokens ?? null,
        }),
    metadata: { finishReason: finishReasons.length === 1 ? finishReasons[0] : finishReasons },
  }
}

export function assembleChat(): Assembly {
  let rest: ChatPart = {}
  const choices: Choice[] = []
  return {
    add(part) {
      const { choices: added = [], model = rest.model, usage = rest.usage } = part as ChatPart
      rest = {
        ...(model === undefined ? {} : { model }),
        usage: usage ?? rest.usage ?? null,
        service_tier: (part as ChatPart).service_tier ?? rest.service_tier,
      }
      for (const { index, delta, text, finish_reason } of added) {
        choices[index] ??= { index, message: { role: 'assistant', content: null } }
        addDelta(choices[index].message as Message, delta ?? { content: text ?? null })
        if (finish_reason != null) choices[index].finish_reason = finish_reason
      }
      return added.some(hasContent)
    },
    fields: () => readChat({ ...rest, choices: choices.filter(Boolean) }),
  }
}

/** Texts that are streamed in pieces, with the names that servers of open models use for reasoning. */
const streamedTexts = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

function hasContent({ text, delta = {} }: Choice): boolean {
  const texts = streamedTexts.some((name) => Boolean(delta[name]))
  return texts || Boolean(text) || (delta.tool_calls ?? []).length > 0
}

function addDelta(message: Message, delta: Message): void {
  if (delta.role !== undefined) message.role = delta.role
  for (const name of streamedTexts) {
    if (typeof delta[name] === 'string') message[name] = (message[name] ?? '') + delta[name]
  }
  for (const { function: part, ...call } of delta.tool_calls ?? []) {
    message.tool_calls ??= []
    // Some servers do not number the calls, and then send each one whole.
    const index = call.index ?? message.tool_calls.length
    const before = message.tool_calls[index]
    message.tool_calls[index] = {
      ...call,
      ...before,
      // Some repeat the other fields as empty texts with each part of the arguments.
      ...(call.id && { id: call.id }),
      index,
      function: {
        name: before?.function?.name || part?.name || '',
        arguments: (before?.function?.arguments ?? '') + (part?.arguments ?? ''),
      },
    }
  }
}

/** A response of the Responses API. */
interface ResponsesPart {
  readonly model?: string
  readonly status?: string
  readonly output?: unknown
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number } | null
  readonly service_tier?: string | null
}

export function readResponse(answer: unknown): KnownFields {
  const { model, status, output, usage, service_tier } = answer as ResponsesPart
  return {
    ...(model === undefined ? {} : { model }),
    output,
    ...(usage == null
      ? {}
      : {
          usage: withTier(usage, service_tier),
          inputTokens: usage.input_tokens ?? null,
          outputTokens: usage.output_tokens ?? null,
        }),
    metadata: { finishReason: status },
  }
}

/** The last event has the whole response; if the stream breaks off, the text so far is used. */
export function assembleResponse(): Assembly {
  let whole: unknown
  let text = ''
  return {
    add(part) {
      const { response, delta, type } = part as { type?: string; response?: unknown; delta?: unknown }
      if (response !== undefined) whole = response
      if (type === 'response.output_text.delta' && typeof delta === 'string') text += delta
      // The first events only acknowledge the request.
      return typeof type === 'string' && /\.delta$|partial_image|\.completed$/.test(type)
    },
    fields() {
      const parsedWhole = whole === undefined ? {} : readResponse(whole)
      const isWhole = Array.isArray(parsedWhole.output) && parsedWhole.output.length > 0
      return isWhole ? parsedWhole : { ...parsedWhole, output: text }
    },
  }
}

/** The vectors themselves are of no use to readers. */
export function readEmbeddings(response: unknown): KnownFields {
  const { model, data, usage } = response as {
    readonly model?: string
    readonly data: readonly { readonly embedding: readonly number[] | string }[]
    readonly usage?: { readonly prompt_tokens?: number }
  }
  const [first] = data
  const dimensions = Array.isArray(first?.embedding) ? first.embedding.length : undefined
  return {
    ...(model === undefined ? {} : { model }),
    output: { embeddings: data.length, ...(dimensions === undefined ? {} : { dimensions }) },
    ...(usage === undefined ? {} : { usage, inputTokens: usage.prompt_tokens ?? null, outputTokens: 0 }),
  }
}

interface ImagesUsage {
  readonly input_tokens?: number
  readonly output_tokens?: number
}

/** The URLs of images, or the sizes of images that are part of the response. */
export function readImages(response: unknown): KnownFields {
  const { data = [], usage } = response as {
    readonly data?: readonly {
      readonly url?: string
      readonly b64_json?: string
      readonly revised_prompt?: string
    }[]
    readonly usage?: ImagesUsage
  }
  const images = data.map(({ url, b64_json, revised_prompt }) => ({
    image: url ?? `[${Math.floor(((b64_json ?? '').length * 3) / 4)} bytes]`,
    ...(revised_prompt === undefined ? {} : { revisedPrompt: revised_prompt }),
  }))
  return { output: images, ...tokensOf(usage) }
}

export function assembleImages(): Assembly {
  let last: { b64_json?: string; usage?: ImagesUsage } = {}
  return {
    add(part) {
      last = part as typeof last
      return true
    },
    fields: () => readImages({ data: last.b64_json === undefined ? [] : [last], usage: last.usage }),
  }
}

/** A text, or an object with the text and its parts, depending on the request. */
export function readTranscript(response: unknown): KnownFields {
  if (typeof response === 'string') return { output: response }
  const { text, usage } = response as { readonly text?: string; readonly usage?: ImagesUsage }
  return { output: text, ...tokensOf(usage) }
}

export function assembleTranscript(): Assembly {
  let text = ''
  let whole: { readonly text?: string; readonly usage?: ImagesUsage } | undefined
  return {
    add(part) {
      const event = part as { type?: string; delta?: string; text?: string; usage?: ImagesUsage }
      if (event.type === 'transcript.text.delta') text += event.delta ?? ''
      if (event.type === 'transcript.text.done') whole = event
      return true
    },
    fields: () => readTranscript(whole ?? { text }),
  }
}

/** The bytes are left for the caller to read. */
export function readSpeech(response: unknown): KnownFields {
  const type = (response as { readonly headers?: Headers }).headers?.get('content-type')
  return { output: `[${type ?? 'audio'}]` }
}

const tokensOf = (usage: ImagesUsage | undefined): KnownFields =>
  usage === undefined
    ? {}
    : { usage, inputTokens: usage.input_tokens ?? null, outputTokens: usage.output_tokens ?? null }
