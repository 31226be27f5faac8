/**
 * Records the calls of an OpenAI-style client (OpenAI, Azure, and compatible providers), including streams.
 * The wrapped client is used exactly like the original; its responses are passed on unchanged.
 */
import type { GenerationFields } from './recording/recording.ts'
import type { WrapOptions } from './wrapping/begin-call.ts'
import {
  assembleChat,
  assembleImages,
  assembleResponse,
  assembleTranscript,
  readChat,
  readEmbeddings,
  readImages,
  readResponse,
  readSpeech,
  readTranscript,
} from './wrapping/openai-responses.ts'
import { type ClientShape, noStream, type RecordedMethod, wrapClient } from './wrapping/wrap-client.ts'

export type { WrapOptions } from './wrapping/begin-call.ts'

/**
 * Wraps a client so that `chat.completions`, `completions`, `responses`, `embeddings`, `images` and `audio` are recorded: as
 * a generation of the current trace or log, or of `options.parent`, or as a trace of its own. The rest passes through.
 */
export function wrapOpenAI<Client extends object>(client: Client, options: WrapOptions): Client {
  return wrapClient(client, shape, options)
}

/** The fields of a request body: everything except the model and its input is a parameter. */
const request =
  (kind: string) =>
  ([body]: readonly unknown[]): GenerationFields => {
    const { model, messages, input, prompt, instructions, stream, file, image, mask, ...parameters } =
      body as Record<string, unknown>
    const content =
      messages ?? (instructions === undefined ? (input ?? prompt ?? fileName(file)) : { instructions, input })
    return {
      name: typeof model === 'string' ? `openai.${kind} ${model}` : `openai.${kind}`,
      input: content,
      ...(typeof model === 'string' ? { model } : {}),
      provider: 'open-ai',
      metadata: { ...(stream === true ? { stream } : {}), parameters },
    }
  }

const fileName = (file: unknown): unknown =>
  file === undefined ? undefined : { file: (Object(file) as { name?: unknown }).name ?? '[file]' }

/** The options of a call come after its body. */
const signal = ([, options]: readonly unknown[]): unknown => Object(options).signal

const chat: RecordedMethod = {
  request: request('chat'),
  whole: readChat,
  newAssembly: assembleChat,
  signal,
}
const responses: RecordedMethod = {
  request: request('responses'),
  whole: readResponse,
  newAssembly: assembleResponse,
  signal,
}
const images: RecordedMethod = { request: request('images'), whole: readImages, newAssembly: assembleImages }
const transcriptions: RecordedMethod = {
  request: request('transcription'),
  whole: readTranscript,
  newAssembly: assembleTranscript,
}

const shape: ClientShape = {
  methods: {
    'chat.completions.create': chat,
    'chat.completions.parse': chat,
    'completions.create': { ...chat, request: request('completion') },
    'responses.create': responses,
    'responses.parse': responses,
    'embeddings.create': { request: request('embeddings'), whole: readEmbeddings, newAssembly: noStream },
    'images.generate': images,
    'images.edit': images,
    'audio.transcriptions.create': transcriptions,
    'audio.translations.create': { ...transcriptions, request: request('translation') },
    'audio.speech.create': { request: request('speech'), whole: readSpeech, newAssembly: noStream },
  },
  conveniences: ['chat.completions.stream', 'chat.completions.runTools', 'responses.stream'],
  copies: ['withOptions'],
  references: { _client: '' },
}
