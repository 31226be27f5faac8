/**
 * Records the calls of an OpenAI-style client (OpenAI, Azure, and whoever speaks their language), streams too.
 * The wrapped client is used exactly like the client; what it answers is passed on untouched.
 */
import { isStream, observePromise, observeStream } from './recording/observe.ts'
import {
  type Assembly,
  assembleChat,
  assembleResponse,
  readChat,
  readResponse,
} from './recording/openai-answers.ts'
import type { GenerationFields } from './recording/recording.ts'
import { beginCall, type RecordedCall, readLeniently, type WrapOptions } from './recording/wrapping.ts'

export type { WrapOptions } from './recording/wrapping.ts'

interface ResponseReader {
  readonly whole: (answer: unknown) => Partial<GenerationFields>
  readonly streamed: () => Assembly
}

const chat: ResponseReader = { whole: readChat, streamed: assembleChat }
const responses: ResponseReader = { whole: readResponse, streamed: assembleResponse }

/** The calls that are recorded, by where the client has them. */
const responseReaders: ReadonlyMap<string, ResponseReader> = new Map([
  ['chat.completions.create', chat],
  ['chat.completions.parse', chat],
  ['responses.create', responses],
  ['responses.parse', responses],
])

/**
 * A client whose `chat.completions` and `responses` (`create` and `parse`) are recorded: as a generation of the current
 * trace or log, of `options.parent`, or as a trace of its own. `embeddings`, `images` and the rest pass through.
 */
export function wrapOpenAI<Client extends object>(client: Client, options: WrapOptions): Client {
  return wrapPart(client, '', options)
}

function wrapPart<Part extends object>(part: Part, path: string, options: WrapOptions): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof name !== 'string') return value
      const inner = path === '' ? name : `${path}.${name}`
      if (typeof value === 'function') {
        const call: Call = value.bind(target)
        const reader = responseReaders.get(inner)
        return reader === undefined ? call : recordCall(call, inner, reader, options)
      }
      const leadsToCall = typeof value === 'object' && value !== null && isPrefix(inner)
      return leadsToCall ? wrapPart(value, inner, options) : value
    },
  })
}

const isPrefix = (path: string): boolean =>
  [...responseReaders.keys()].some((candidate) => candidate.startsWith(`${path}.`))

type Call = (...args: unknown[]) => unknown

function recordCall(call: Call, path: string, reader: ResponseReader, options: WrapOptions): Call {
  return (...args) => {
    const recording = beginCall(
      options,
      readLeniently(() => readRequest(path, args[0]), { name: path }),
    )
    try {
      const result = call(...args)
      return result instanceof Promise ? observePromise(result, makeWatcher(recording, reader)) : result
    } catch (error) {
      recording.end({ error })
      throw error
    }
  }
}

/** What the body of a call tells: everything that is neither the model nor what it reads is a parameter. */
function readRequest(name: string, body: unknown): GenerationFields {
  const { model, messages, input, instructions, stream, ...parameters } = body as Record<string, unknown>
  const read = messages ?? (instructions === undefined ? input : { instructions, input })
  return {
    name,
    input: read,
    ...(typeof model === 'string' ? { model } : {}),
    provider: 'open-ai',
    metadata: { ...(stream === true ? { stream } : {}), parameters },
  }
}

function makeWatcher(recording: RecordedCall, { whole, streamed }: ResponseReader) {
  return {
    value(answer: unknown): unknown {
      if (!isStream(answer)) {
        recording.end(readLeniently(() => whole(answer), {}))
        return answer
      }
      const assembly = streamed()
      return observeStream(answer, {
        item: (item) => readLeniently(() => assembly.add(item), undefined),
        ended: (error) => recording.end({ ...readLeniently(() => assembly.fields(), {}), error }),
      })
    },
    failed: (error: unknown) => recording.end({ error }),
    unread: () => recording.end({}),
  }
}
