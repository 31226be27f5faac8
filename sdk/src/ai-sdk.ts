/**
 * Records the calls of a Vercel AI SDK language model, including streams. Wraps the model itself, because its interface has
 * kept `doGenerate` and `doStream` across versions of the AI SDK, so that none of its packages is needed.
 */

import type { GenerationFields, GenerationRecording } from './recording/recording.ts'
import { beginCall, readLeniently, type WrapOptions } from './wrapping/begin-call.ts'

export type { WrapOptions } from './wrapping/begin-call.ts'

/** The parts of a model used here. Parameters differ between versions, hence `never`; the wrapped model keeps its type. */
interface Model {
  readonly provider: string
  readonly modelId: string
  doGenerate(params: never): PromiseLike<unknown>
  doStream(params: never): PromiseLike<unknown>
}

/** Wraps a model so that its calls become generations of `options.parent` or the current trace or log, or traces of their own. */
export function wrapModel<Wrapped extends Model>(model: Wrapped, options: WrapOptions): Wrapped {
  const begin = (name: string, params: unknown): GenerationRecording =>
    beginCall(options, {
      ...readLeniently(() => readRequest(params), {}),
      name: `ai-sdk.${name} ${model.modelId}`,
      model: model.modelId,
      // The AI SDK appends the interface to the provider: `openai.chat`.
      provider: model.provider.split('.', 1)[0] ?? model.provider,
    })

  const doGenerate = async (params: never): Promise<unknown> => {
    const call = begin('generate', params)
    try {
      const result: unknown = await model.doGenerate(params)
      call.end(readLeniently(() => readResult(result as GenerateResult), {}))
      return result
    } catch (error) {
      call.end({ error })
      throw error
    }
  }

  const doStream = async (params: never): Promise<unknown> => {
    const call = begin('stream', params)
    const startedAt = performance.now()
    try {
      const result = (await model.doStream(params)) as { readonly stream: ReadableStream<Part> }
      return { ...result, stream: watch(result.stream, call, { ...(params as object), startedAt }) }
    } catch (error) {
      call.end({ error })
      throw error
    }
  }

  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate') return doGenerate
      if (name === 'doStream') return doStream
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A number in version 2 of the model interface; an object by kind since version 3. */
type Tokens =
  | number
  | {
      readonly total?: number
      readonly cacheRead?: number
      readonly cacheWrite?: number
      readonly reasoning?: number
    }

interface Usage {
  readonly inputTokens?: Tokens
  readonly outputTokens?: Tokens
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

interface GenerateResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly usage?: Usage
  readonly finishReason?: unknown
  /** The model that responded, which a gateway or a deployment may choose. */
  readonly response?: { readonly modelId?: string }
  readonly providerMetadata?: Readonly<Record<string, { readonly serviceTier?: unknown } | undefined>>
}

type Part = {
  readonly type: string
  readonly id?: string
  readonly delta?: string
  readonly error?: unknown
} & GenerateResult

function readRequest(params: unknown): GenerationFields {
  const { prompt, headers, abortSignal, includeRawChunks, ...parameters } = params as Record<string, unknown>
  return { input: prompt, metadata: { parameters } }
}

function readResult({
  content = [],
  usage = {},
  finishReason,
  response,
  providerMetadata,
}: GenerateResult): Partial<GenerationFields> {
  const isText = content.every(({ type }) => type === 'text')
  const input = toTokenCounts(usage.inputTokens)
  const output = toTokenCounts(usage.outputTokens)
  return {
    output: { role: 'assistant', content: isText ? content.map(({ text }) => text).join('') : content },
    ...(response?.modelId && { model: response.modelId }),
    inputTokens: input.total ?? null,
    outputTokens: output.total ?? null,
    usage: {
      serviceTier: providerMetadata?.openai?.serviceTier,
      cacheReadTokens: input.cacheRead ?? usage.cachedInputTokens,
      cacheWriteTokens: input.cacheWrite,
      reasoningTokens: output.reasoning ?? usage.reasoningTokens,
    },
    metadata: { finishReason: (finishReason as { unified?: string } | undefined)?.unified ?? finishReason },
  }
}

const toTokenCounts = (tokens: Tokens | undefined): Exclude<Tokens, number> =>
  typeof tokens === 'object' ? tokens : tokens === undefined ? {} : { total: tokens }

/**
 * Passes every part through, and ends the call with the assembled result when the stream ends, breaks or is aborted. A
 * reader that stops early is not an error.
 */
function watch(
  stream: ReadableStream<Part>,
  call: GenerationRecording,
  { abortSignal, startedAt }: { readonly abortSignal?: AbortSignal; readonly startedAt: number },
): ReadableStream<Part> {
  const { add, result } = assemble()
  const reader = stream.getReader()
  const end = (error?: unknown): void =>
    call.end(readLeniently(() => withError(result(), error), error === undefined ? {} : { error }))
  let hasContent = false
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        try {
          const { done, value: part } = await reader.read()
          if (done) {
            end()
            controller.close()
            return
          }
          if (!hasContent && isContent(part)) {
            hasContent = true
            call.update({ timeToFirstTokenMs: Math.round(performance.now() - startedAt) })
          }
          readLeniently(() => add(part), undefined)
          controller.enqueue(part)
        } catch (error) {
          end(error)
          controller.error(error)
        }
      },
      cancel(reason) {
        end(abortSignal?.aborted ? abortSignal.reason : undefined)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const withError = (fields: Partial<GenerationFields>, error: unknown): Partial<GenerationFields> =>
  error === undefined ? fields : { ...fields, error }

/** Assembles the parts of a stream. */
function assemble() {
  const content: { type: string; text?: string; id?: string | undefined }[] = []
  let finish: GenerateResult = {}
  let response: GenerateResult['response'] = {}
  let error: unknown
  return {
    add(part: Part): void {
      const kind = /^(text|reasoning)-delta$/.exec(part.type)?.[1]
      if (kind !== undefined) {
        const open = content.find((each) => each.type === kind && each.id === part.id)
        if (open === undefined) content.push({ type: kind, text: part.delta ?? '', id: part.id })
        else open.text += part.delta ?? ''
      } else if (part.type === 'response-metadata') response = part as NonNullable<typeof response>
      else if (part.type === 'finish') finish = part
      else if (part.type === 'error') error = part.error
      else if (contentTypes.has(part.type)) content.push(part)
    },
    result: (): Partial<GenerationFields> =>
      withError(readResult({ ...finish, response, content: content.map(({ id, ...part }) => part) }), error),
  }
}

/** Some providers start a text with an empty part. */
const isContent = ({ type, delta }: Part): boolean =>
  (type.endsWith('-delta') && delta !== '') || contentTypes.has(type)

/** Parts that are already content. */
const contentTypes = new Set(['tool-call', 'tool-result', 'file', 'source'])
