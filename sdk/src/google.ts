/** Records the calls of Google's Gemini client (`@google/genai`): `wrapGoogle(new GoogleGenAI({ … }), { plumbline })`. */
import type { GenerationFields } from './recording/recording.ts'
import type { WrapOptions } from './wrapping/begin-call.ts'
import { callsTools, watchTools } from './wrapping/google-tools.ts'
import {
  type Assembly,
  type ClientShape,
  type KnownFields,
  noStream,
  type Steps,
  withoutNull,
  wrapClient,
} from './wrapping/wrap-client.ts'

export type { WrapOptions } from './wrapping/begin-call.ts'

/**
 * Wraps a client so that `models` (content, streams, embeddings, images) and `chats` are recorded: as a generation of the
 * current trace or log, or of `options.parent`, or as a trace of its own. The rest passes through.
 */
export function wrapGoogle<Client extends object>(client: Client, options: WrapOptions): Client {
  return wrapClient(client, shape, options)
}

interface Part {
  readonly text?: string
  readonly thought?: boolean
}

interface GenerateResponse {
  readonly modelVersion?: string
  readonly candidates?: readonly {
    readonly content?: { readonly role?: string; readonly parts?: readonly Part[] }
    readonly finishReason?: string
  }[]
  readonly usageMetadata?: Readonly<Record<string, unknown>> & {
    readonly promptTokenCount?: number
    readonly candidatesTokenCount?: number
    readonly thoughtsTokenCount?: number
  }
}

const request =
  (kind: string) =>
  ([params]: readonly unknown[]): GenerationFields => {
    const { model, contents, prompt, config, ...rest } = params as Record<string, unknown>
    // HTTP options may have headers with credentials.
    const { systemInstruction, abortSignal, httpOptions, ...parameters } = Object(config) as Record<
      string,
      unknown
    >
    const conversation = Array.isArray(contents) ? contents : [contents ?? prompt]
    return {
      name: typeof model === 'string' ? `google.${kind} ${model}` : `google.${kind}`,
      input:
        systemInstruction === undefined
          ? (contents ?? prompt)
          : [{ role: 'system', content: systemInstruction }, ...conversation],
      ...(typeof model === 'string' ? { model } : {}),
      provider: 'gemini',
      metadata: { parameters: { ...parameters, ...rest } },
    }
  }

function readContent(response: unknown): KnownFields {
  const { modelVersion, candidates = [], usageMetadata: usage } = response as GenerateResponse
  const outputs = candidates.map(({ content }) => ({ role: 'assistant', parts: content?.parts ?? [] }))
  return withoutNull({
    model: modelVersion as string,
    output: outputs.length === 1 ? outputs[0] : outputs,
    metadata: { finishReason: candidates[0]?.finishReason },
    usage: usage as object,
    inputTokens: usage?.promptTokenCount ?? null,
    // Gemini counts thoughts separately, but the GenAI conventions include them in the output. If the thoughts left no room
    // for an answer, Gemini omits its count.
    outputTokens:
      usage?.candidatesTokenCount === undefined && usage?.thoughtsTokenCount === undefined
        ? null
        : (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  })
}

/** Chunks contain pieces of the parts; the last one contains the usage. */
function assembleContent(): Assembly {
  const parts: Part[] = []
  let last: GenerateResponse = {}
  let finishReason: string | undefined
  return {
    add(chunk) {
      const response = chunk as GenerateResponse
      last = { ...last, ...withoutNull(response as KnownFields) }
      const [candidate] = response.candidates ?? []
      finishReason = candidate?.finishReason ?? finishReason
      const added = candidate?.content?.parts ?? []
      for (const part of added) addPart(parts, part)
      return added.length > 0
    },
    fields: () =>
      readContent({
        ...last,
        candidates: [{ content: { parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
      }),
  }
}

function addPart(parts: Part[], part: Part): void {
  const before = parts.at(-1)
  const continues = before?.text !== undefined && part.text !== undefined && before.thought === part.thought
  if (continues) parts[parts.length - 1] = { ...before, text: before.text + part.text }
  else parts.push(part)
}

const signal = ([params]: readonly unknown[]): unknown => Object(Object(params).config).abortSignal

function readEmbeddings(response: unknown): KnownFields {
  const { embeddings = [] } = response as {
    readonly embeddings?: readonly { readonly values?: readonly number[] }[]
  }
  // Otherwise, the service would count this description as generated text.
  return {
    output: { embeddings: embeddings.length, dimensions: embeddings[0]?.values?.length ?? 0 },
    outputTokens: 0,
  }
}

function readImages(response: unknown): KnownFields {
  const { generatedImages = [] } = response as {
    readonly generatedImages?: readonly { readonly image?: { readonly imageBytes?: string } }[]
  }
  const size = (text = ''): string => `[${Math.floor((text.length * 3) / 4)} bytes]`
  return { output: generatedImages.map(({ image }) => ({ image: size(image?.imageBytes) })) }
}

/** Handles calls whose tools the client runs itself, through its method that calls the model once. */
function stepsBy(method: string): Steps {
  return {
    isIn: (models, args) => callsTools(models, method, args),
    watch: (input) => watchTools(input, method),
    newAssembly: assembleAnswer,
  }
}

/** Assembles a stream with tool calls: the answer follows the last tool result that the client adds to the stream. */
function assembleAnswer(): Assembly {
  let assembly = assembleContent()
  return {
    add(chunk) {
      if ((chunk as GenerateResponse).candidates?.[0]?.content?.role === 'user') assembly = assembleContent()
      else assembly.add(chunk)
      return false
    },
    fields: () => ({ output: assembly.fields().output }),
  }
}

const shape: ClientShape = {
  methods: {
    'models.generateContent': {
      request: request('generate'),
      whole: readContent,
      newAssembly: noStream,
      steps: stepsBy('generateContentInternal'),
    },
    'models.generateContentStream': {
      request: request('generate'),
      whole: readContent,
      newAssembly: assembleContent,
      signal,
      steps: stepsBy('generateContentStreamInternal'),
    },
    'models.embedContent': { request: request('embeddings'), whole: readEmbeddings, newAssembly: noStream },
    'models.generateImages': { request: request('images'), whole: readImages, newAssembly: noStream },
  },
  // A chat keeps the `models` with which it was created.
  conveniences: ['chats.create'],
  references: { modelsModule: 'models' },
}
