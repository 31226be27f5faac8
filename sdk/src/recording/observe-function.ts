/** `plumbline.observe`: records the calls of a function of any kind. */
import { isPromise, type LogFields, type LogType, type Recorder, type Recording } from './recording.ts'

export interface ObserveOptions extends Omit<LogFields, 'input' | 'output'> {
  /** Name of the log; the name of the function by default. */
  readonly name?: string
  /** Type of the log; `function` by default. */
  readonly type?: LogType
  /** Whether to record its arguments; true by default. */
  readonly captureInput?: boolean
  /** Whether to record its result; true by default. */
  readonly captureOutput?: boolean
}

/** A function of any signature, which observing preserves. */
export type AnyFunction = (this: never, ...args: never[]) => unknown

const itemsMax = 10_000

interface ObserveDeps {
  readonly recorder: Recorder
  /** Starts a log in the current recording, or a trace if there is none. */
  readonly start: (type: LogType, values: LogFields) => Recording
}

export function observeFunction<Observed extends AnyFunction>(
  { recorder, start }: ObserveDeps,
  fn: Observed,
  { type = 'function', captureInput = true, captureOutput = true, ...fields }: ObserveOptions,
): Observed {
  const end = (recording: Recording, output: unknown): void =>
    recording.end(captureOutput && !recording.hasOutput ? { output } : {})

  function wrapper(this: unknown, ...args: unknown[]): unknown {
    const recording = start(type, {
      ...fields,
      name: fields.name ?? (fn.name || type),
      ...(captureInput && args.length > 0 ? { input: args.length === 1 ? args[0] : args } : {}),
    })
    let result: unknown
    try {
      result = recorder.runWithin(recording, () => Reflect.apply(fn, this, args))
    } catch (error) {
      recording.end({ error })
      throw error
    }
    if (isGenerator(result)) return watchGenerator(recorder, recording, result, end)
    if (!isPromise(result)) {
      end(recording, result)
      return result
    }
    return result.then(
      (output) => {
        end(recording, output)
        return output
      },
      (error) => {
        recording.end({ error })
        throw error
      },
    )
  }
  // Safe: it has the same parameters and result as the function.
  return Object.defineProperty(wrapper, 'name', { value: fn.name }) as unknown as Observed
}

type AnyGenerator = Generator<unknown> | AsyncGenerator<unknown>

const generatorTags = new Set(['[object Generator]', '[object AsyncGenerator]'])
const isGenerator = (value: unknown): value is AnyGenerator =>
  generatorTags.has(Object.prototype.toString.call(value))

/** Wraps a generator: its recording is nested where the generator was called, and the yielded items are the output. */
function watchGenerator(
  recorder: Recorder,
  recording: Recording,
  generator: AnyGenerator,
  end: (recording: Recording, output: unknown) => void,
): AnyGenerator {
  const items: unknown[] = []
  const finish = (result: unknown): void => end(recording, result === undefined ? joinItems(items) : result)
  const watch = (step: IteratorResult<unknown>): IteratorResult<unknown> => {
    if (step.done === true) finish(step.value)
    else if (items.length < itemsMax) items.push(step.value)
    return step
  }
  const fail = (error: unknown): never => {
    recording.end({ error })
    throw error
  }
  const resume =
    (method: 'next' | 'return' | 'throw') =>
    (...args: unknown[]): unknown => {
      try {
        // Safe: the arguments are passed through to the method.
        const call = generator[method] as (...args: unknown[]) => unknown
        const step = recorder.runWithin(recording, () => call.apply(generator, args))
        return isPromise(step)
          ? step.then((value) => watch(value as IteratorResult<unknown>), fail)
          : watch(step as IteratorResult<unknown>)
      } catch (error) {
        return fail(error)
      }
    }
  const watched: Readonly<Record<string, unknown>> = {
    next: resume('next'),
    return: resume('return'),
    throw: resume('throw'),
  }
  return new Proxy(generator, {
    get(target, name, receiver) {
      if (name === Symbol.iterator || name === Symbol.asyncIterator)
        return name in target ? () => receiver : undefined
      if (typeof name === 'string' && Object.hasOwn(watched, name)) return watched[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The items of a generator as one value: a text if all are texts. */
function joinItems(items: readonly unknown[]): unknown {
  if (items.length === 0) return undefined
  return items.every((item) => typeof item === 'string') ? items.join('') : items
}
