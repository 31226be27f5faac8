/** Records calls of any model client, by a table of its methods. The wrapped client is used exactly like the original. */
import type { GenerationFields, GenerationRecording } from '../recording/recording.ts'
import { beginCall, beginSteps, readLeniently, type WrapOptions } from './begin-call.ts'
import { isStream, observePromise, observeStream } from './watch-result.ts'

export type KnownFields = Partial<GenerationFields>

/** Assembles a streamed response, part by part. */
export interface Assembly {
  /** Returns whether the part has content written by the model; the first such part determines the time to first token. */
  add(part: unknown): boolean
  fields(): KnownFields
}

/** How to record one method of a client. Unexpected forms are not recorded, and are never an error. */
export interface RecordedMethod {
  readonly request: (args: readonly unknown[]) => GenerationFields
  readonly whole: (response: unknown) => KnownFields
  readonly newAssembly: () => Assembly
  /** The field of the response that contains the stream; by default, the response itself is the stream. */
  readonly streamIn?: (response: unknown) => string
  /** The signal with which the caller can abort the call. */
  readonly signal?: (args: readonly unknown[]) => unknown
  /** Whether to record a call; all calls by default. */
  readonly isRecorded?: (args: readonly unknown[]) => boolean
  /** Handles calls that call the model several times. */
  readonly steps?: Steps
}

/** Such a call is recorded as a span, with the model calls and tool runs nested in it. */
export interface Steps {
  readonly isIn: (part: object, args: readonly unknown[]) => boolean
  /** The arguments to call with, so that `record` is applied to each model call, and tool runs are recorded in `span`. */
  readonly watch: (input: StepsInput) => readonly unknown[]
  /** Assembles the output of the span from a stream with all of the responses. */
  readonly newAssembly: () => Assembly
}

export interface StepsInput {
  /** The part of the client that the method belongs to. */
  readonly part: object
  readonly args: readonly unknown[]
  readonly span: GenerationRecording
  readonly record: (call: Call) => Call
}

export interface ClientShape {
  /** The methods to record, by their path in the client. */
  readonly methods: Readonly<Record<string, RecordedMethod>>
  /** Convenience methods that call recorded methods: they run on the wrapped client. */
  readonly conveniences?: readonly string[]
  /** Methods that create another client, which is wrapped in the same way. */
  readonly copies?: readonly string[]
  /** Properties with which parts of the client refer to other parts: path by property name. */
  readonly references?: Readonly<Record<string, string>>
}

export type Call = (this: unknown, ...args: unknown[]) => unknown

export function wrapClient<Client extends object>(
  client: Client,
  shape: ClientShape,
  options: WrapOptions,
): Client {
  const paths = [...Object.keys(shape.methods), ...(shape.conveniences ?? [])]
  const leadsToCall = (path: string): boolean => paths.some((each) => each.startsWith(`${path}.`))

  function wrapPart<Part extends object>(part: Part, path: string): Part {
    /** The replacements of properties, by name, so that each access returns the same object. */
    const replacements = new Map<string, { readonly original: object; readonly replacement: object }>()
    const wrapped: Part = new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof name !== 'string' || name === 'constructor' || Object(value) !== value) return value
        // Safe: it is not a primitive value.
        const original = value as object
        const entry = replacements.get(name)
        if (entry?.original === original) return entry.replacement
        const replacement = replace(target, original, name)
        replacements.set(name, { original, replacement })
        return replacement
      },
    })

    function replace(target: Part, value: object, name: string): object {
      const inner = path === '' ? name : `${path}.${name}`
      if (typeof value !== 'function') return leadsToCall(inner) ? wrapPart(value, inner) : value
      const method = Object.hasOwn(shape.methods, inner) ? shape.methods[inner] : undefined
      const self = shape.conveniences?.includes(inner) ? onWrapped(target, wrapped) : target
      const call: Call = (...args) => Reflect.apply(value, self, args)
      if (method !== undefined) return standIn(value, recordCalls(target, call, method, options))
      if (shape.copies?.includes(inner))
        return standIn(value, (...args) => wrapClient(call(...args) as object, shape, options))
      return standIn(value, call)
    }
    return wrapped
  }

  /** The receiver of a convenience method: other methods and parts are wrapped, but its state is that of the client. */
  const onWrapped = (target: object, proxy: object): object =>
    new Proxy(target, {
      get(_target, name) {
        const path = typeof name === 'string' ? shape.references?.[name] : undefined
        if (path !== undefined) return partAt(root, path)
        return Reflect.get(proxy, name)
      },
    })

  const root = wrapPart(client, '')
  return root
}

/** A function with another implementation but the same properties, such as its name and those of a mock. */
const standIn = (original: object, call: Call): object =>
  new Proxy(original, { apply: (_original, _this, args: unknown[]) => call(...args) })

const partAt = (root: object, path: string): unknown =>
  path === '' ? root : path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), root)

/** A function whose calls are recorded as described by `method`. */
function recordCalls(part: object, call: Call, method: RecordedMethod, options: WrapOptions): Call {
  return (...args) => {
    if (method.isRecorded?.(args) === false) return call(...args)
    const { steps } = method
    const request = readLeniently(() => method.request(args), {})
    if (steps !== undefined && readLeniently(() => steps.isIn(part, args), false)) {
      const span = beginSteps(options, request)
      const each = (own: Call): Call => recordCalls(part, own, method, { ...options, parent: span })
      const watched = steps.watch({ part, args, span, record: each })
      return observeCall(() => call(...watched), span, { ...method, ...onlyOutput(method, steps) }, args)
    }
    return observeCall(() => call(...args), beginCall(options, request), method, args)
  }
}

const onlyOutput = ({ whole }: RecordedMethod, { newAssembly }: Steps) => ({
  whole: (response: unknown): KnownFields => ({ output: whole(response).output }),
  newAssembly,
})

function observeCall(
  call: () => unknown,
  recording: GenerationRecording,
  method: RecordedMethod,
  args: readonly unknown[],
): unknown {
  try {
    const result = call()
    const signal = readLeniently(() => method.signal?.(args), undefined)
    return result instanceof Promise ? observePromise(result, makeWatcher(recording, method, signal)) : result
  } catch (error) {
    recording.end({ error })
    throw error
  }
}

function makeWatcher(
  recording: GenerationRecording,
  { whole, newAssembly, streamIn }: RecordedMethod,
  signal: unknown,
) {
  const startedAt = performance.now()
  return {
    value(response: unknown): unknown {
      const field = streamIn?.(response)
      const stream: unknown = field === undefined ? response : Reflect.get(Object(response), field)
      if (!isStream(stream)) {
        recording.end(readLeniently(() => whole(response), {}))
        return response
      }
      const assembly = newAssembly()
      let isFirst = true
      const watched = observeStream(stream, {
        item(item) {
          const hasContent = readLeniently(() => assembly.add(item), false)
          if (!isFirst || !hasContent) return
          isFirst = false
          recording.update({ timeToFirstTokenMs: Math.round(performance.now() - startedAt) })
        },
        ended: (error = abortReason(signal)) =>
          recording.end({ ...readLeniently(() => assembly.fields(), {}), error }),
      })
      if (field === undefined) return watched
      Reflect.set(Object(response), field, watched)
      return response
    },
    failed: (error: unknown) => recording.end({ error }),
    unread: () => recording.end({}),
  }
}

/** Some clients end an aborted stream as if it were complete. */
function abortReason(signal: unknown): unknown {
  const { aborted, reason } = Object(signal) as Partial<AbortSignal>
  return aborted === true ? reason : undefined
}

/** For calls that have no stream. */
export const noStream = (): Assembly => ({ add: () => false, fields: () => ({}) })

/** Removes null and undefined fields. */
export const withoutNull = (fields: KnownFields): KnownFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
