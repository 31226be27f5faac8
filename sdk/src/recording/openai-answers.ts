/** What OpenAI-style answers say, whole or streamed, as fields of a generation. */
import type { GenerationFields } from './recording.ts'

type KnownFields = Partial<GenerationFields>

interface ToolCall {
  index: number
  id?: string
  type?: string
  function?: { name?: string; arguments?: string }
}

interface Message {
  role?: string
  content?: string | null
  refusal?: string | null
  tool_calls?: ToolCall[]
}

interface Choice {
  index: number
  message?: Message
  delta?: Message
  finish_reason?: string | null
}

/** A chat completion, or one chunk of it. */
interface ChatPart {
  readonly model?: string
  readonly choices?: readonly Choice[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
}

/** Puts a streamed answer together, part by part. */
export interface Assembly {
  add(part: unknown): void
  fields(): KnownFields
}

/** The casts here are of what a service outside answered; readers take an error as nothing known. */
export function readChat(answer: unknown): KnownFields {
  const { model, choices = [], usage } = answer as ChatPart
  const messages = choices.map(({ message }) => message)
  const finishReasons = choices.map(({ finish_reason }) => finish_reason)
  return {
    ...(model === undefined ? {} : { model }),
    output: messages.length === 1 ? messages[0] : messages,
    ...(usage == null
      ? {}
      : { usage, inputTokens: usage.prompt_tokens ?? null, outputTokens: usage.completion_tokens ?? null }),
    metadata: { finishReason: finishReasons.length === 1 ? finishReasons[0] : finishReasons },
  }
}

export function assembleChat(): Assembly {
  let rest: ChatPart = {}
  const choices: Choice[] = []
  return {
    add(part) {
      const { choices: added = [], model = rest.model, usage = rest.usage } = part as ChatPart
      rest = { ...(model === undefined ? {} : { model }), usage: usage ?? rest.usage ?? null }
      for (const { index, delta = {}, finish_reason } of added) {
        choices[index] ??= { index, message: { role: 'assistant', content: null } }
        addDelta(choices[index].message as Message, delta)
        if (finish_reason != null) choices[index].finish_reason = finish_reason
      }
    },
    fields: () => readChat({ ...rest, choices: choices.filter(Boolean) }),
  }
}

function addDelta(message: Message, delta: Message): void {
  if (delta.role !== undefined) message.role = delta.role
  if (delta.content != null) message.content = (message.content ?? '') + delta.content
  if (delta.refusal != null) message.refusal = (message.refusal ?? '') + delta.refusal
  for (const { index, function: part, ...call } of delta.tool_calls ?? []) {
    message.tool_calls ??= []
    const before = message.tool_calls[index]
    message.tool_calls[index] = {
      ...before,
      ...call,
      index,
      function: {
        name: before?.function?.name ?? part?.name ?? '',
        arguments: (before?.function?.arguments ?? '') + (part?.arguments ?? ''),
      },
    }
  }
}

/** An answer of the Responses API. */
interface ResponsesPart {
  readonly model?: string
  readonly status?: string
  readonly output?: unknown
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number } | null
}

export function readResponse(answer: unknown): KnownFields {
  const { model, status, output, usage } = answer as ResponsesPart
  return {
    ...(model === undefined ? {} : { model }),
    output,
    ...(usage == null
      ? {}
      : { usage, inputTokens: usage.input_tokens ?? null, outputTokens: usage.output_tokens ?? null }),
    metadata: { finishReason: status },
  }
}

/** The last event has the whole answer; where the stream breaks off, there is the text so far. */
export function assembleResponse(): Assembly {
  let whole: unknown
  let text = ''
  return {
    add(part) {
      const { response, delta, type } = part as { type?: string; response?: unknown; delta?: unknown }
      if (response !== undefined) whole = response
      if (type === 'response.output_text.delta' && typeof delta === 'string') text += delta
    },
    fields() {
      const parsedWhole = whole === undefined ? {} : readResponse(whole)
      const isWhole = Array.isArray(parsedWhole.output) && parsedWhole.output.length > 0
      return isWhole ? parsedWhole : { ...parsedWhole, output: text }
    },
  }
}
