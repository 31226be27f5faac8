/** Records calls of any model client, by a table of its methods. The wrapped client is used exactly like the client. */
import type { GenerationFields, GenerationRecording } from '../recording/recording.ts'
import { beginCall, beginSteps, readLeniently, type WrapOptions } from './begin-call.ts'
import { isStream, observePromise, observeStream } from './watch-result.ts'

export type KnownFields = Partial<GenerationFields>

/** Puts a streamed response together, part by part. */
export interface Assembly {
  /** Returns whether the part has something that the model wrote; the first such part ends the wait for a token. */
  add(part: unknown): boolean
  fields(): KnownFields
}

/** How one method of a client is read: what is not as expected is not recorded, and never an error. */
export interface RecordedMethod {
  readonly request: (args: readonly unknown[]) => GenerationFields
  readonly whole: (response: unknown) => KnownFields
  readonly newAssembly: () => Assembly
  /** The field of the response that has the stream; the response itself is one by default. */
  readonly streamIn?: (response: unknown) => string
  /** The signal by which the caller may abort the call. */
  readonly signal?: (args: readonly unknown[]) => unknown
  /** Which of the calls are recorded; all by default. */
  readonly isRecorded?: (args: readonly unknown[]) => boolean
  /** Calls that call the model several times by themselves. */
  readonly steps?: Steps
}

/** How such a call is recorded: as a span that has the calls of the model and the runs of tools in it. */
export interface Steps {
  readonly isIn: (part: object, args: readonly unknown[]) => boolean
  /** The arguments to call with, so that `record` is applied to each call of the model, and `span` has the tools. */
  readonly watch: (input: StepsInput) => readonly unknown[]
  /** What of a stream, which has all of the responses, the span has as its output. */
  readonly newAssembly: () => Assembly
}

export interface StepsInput {
  /** The part of the client that has the method. */
  readonly part: object
  readonly args: readonly unknown[]
  readonly span: GenerationRecording
  readonly record: (call: Call) => Call
}

export interface ClientShape {
  /** The methods that are recorded, by their path in the client. */
  readonly methods: Readonly<Record<string, RecordedMethod>>
  /** Conveniences that call recorded methods: they run on the wrapped client. */
  readonly conveniences?: readonly string[]
  /** Methods that make another client: it is wrapped as this one. */
  readonly copies?: readonly string[]
  /** Where parts of the client keep a reference to another part of it: path by the name of the property. */
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
    /** What was given in place of a value, by its name, so that it is the same one each time. */
    const replacements = new Map<string, { readonly original: object; readonly replacement: object }>()
    const wrapped: Part = new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof name !== 'string' || name === 'constructor' || Object(value) !== value) return value
        // Safe: what is not primitive is an object.
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

  /** What a convenience runs on: other methods and parts of the client are wrapped, its own state is the client's. */
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

/** The same function but for what a call does: with its name, and what a test says of a mock. */
const standIn = (original: object, call: Call): object =>
  new Proxy(original, { apply: (_original, _this, args: unknown[]) => call(...args) })

const partAt = (root: object, path: string): unknown =>
  path === '' ? root : path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), root)

/** A function whose calls are recorded as a method says. */
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

/** Some clients end a stream that is aborted as if it were whole. */
function abortReason(signal: unknown): unknown {
  const { aborted, reason } = Object(signal) as Partial<AbortSignal>
  return aborted === true ? reason : undefined
}

/** For calls that have no stream. */
export const noStream = (): Assembly => ({ add: () => false, fields: () => ({}) })

/** Only what is known. */
export const withoutNull = (fields: KnownFields): KnownFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
