/** Watches the result of a call without changing it for the caller. */

export interface Watcher {
  /** Called once with the value; its result replaces the value. */
  value(value: unknown): unknown
  failed(error: unknown): void
  /** Called if the caller took the raw response, whose body it reads itself. */
  unread(): void
}

type CallPromise = Promise<unknown> & {
  withResponse?(): Promise<{ data: unknown }>
  _thenUnwrap?(transform: Transform): CallPromise
}

type Transform = (data: unknown, ...rest: unknown[]) => unknown

/**
 * Watches a promise. Clients such as OpenAI's return promises with methods of their own, and read the body only on demand,
 * so nothing is read here before the caller does.
 */
export function observePromise(promise: CallPromise, watcher: Watcher): CallPromise {
  let watched: Promise<unknown> | undefined
  const watch = (): Promise<unknown> => {
    watched ??= promise.then(
      (value) => watcher.value(value),
      (error) => {
        watcher.failed(error)
        throw error
      },
    )
    return watched
  }
  // A plain promise reads on its own, so it can be watched at once.
  if (promise.constructor === Promise) void watch()
  const own: Readonly<Record<string, unknown>> = {
    // biome-ignore lint/suspicious/noThenProperty: it stands in for the promise's own `then`.
    then: (...handlers: Parameters<CallPromise['then']>) => watch().then(...handlers),
    catch: (...handlers: Parameters<CallPromise['catch']>) => watch().catch(...handlers),
    finally: (...handlers: Parameters<CallPromise['finally']>) => watch().finally(...handlers),
    withResponse: async () => {
      const [data, answer] = await Promise.all([watch(), promise.withResponse?.()])
      return { ...answer, data }
    },
    // Returns another promise that reads the same response, which OpenAI's convenience methods await instead of this one.
    _thenUnwrap: (transform: Transform) =>
      observePromise(
        promise._thenUnwrap!((data, ...rest) => transform(watcher.value(data), ...rest)),
        {
          ...watcher,
          value: (value) => value,
        },
      ),
    asResponse: () => {
      watcher.unread()
      return (promise as CallPromise & { asResponse(): unknown }).asResponse()
    },
  }
  return new Proxy(promise, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function' || name === 'constructor') return value
      return typeof name === 'string' && Object.hasOwn(own, name) ? own[name] : value.bind(target)
    },
  })
}

export type Stream = AsyncIterable<unknown> &
  Partial<AsyncIterator<unknown>> & { iterator?: () => AsyncIterator<unknown> }

export const isStream = (value: unknown): value is Stream =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/**
 * Watches the stream of a call, in place, so that every way of reading it is covered (OpenAI's has `tee()` and more, all of
 * which use its `iterator`; Google's is a generator, which can be read item by item).
 */
export function observeStream(
  stream: Stream,
  watcher: { item(item: unknown): void; ended(error?: unknown): void },
): Stream {
  const begin = makeBegin(stream)
  async function* watchItems() {
    let failure: { error: unknown } | undefined
    try {
      for await (const item of { [Symbol.asyncIterator]: begin }) {
        watcher.item(item)
        yield item
      }
    } catch (error) {
      failure = { error }
      throw error
    } finally {
      watcher.ended(failure?.error)
    }
  }
  if (stream.iterator !== undefined) stream.iterator = watchItems
  else if (stream.next === undefined) stream[Symbol.asyncIterator] = watchItems
  else watchSteps(stream, watchItems, () => watcher.ended())
  return stream
}

/** Returns the original iteration of a stream, before it is watched. */
function makeBegin(stream: Stream): () => AsyncIterator<unknown> {
  const { next, return: leave } = stream
  if (stream.iterator !== undefined || next === undefined)
    return (stream.iterator ?? stream[Symbol.asyncIterator]).bind(stream)
  const source: AsyncIterator<unknown> = {
    next: () => next.call(stream),
    ...(leave !== undefined && { return: (value) => leave.call(stream, value) }),
  }
  return () => source
}

/** A generator has a single position, whichever method advances it. */
function watchSteps(stream: Stream, watchItems: () => AsyncGenerator<unknown>, onReturn: () => void): void {
  let steps: AsyncGenerator<unknown> | undefined
  const getSteps = (): AsyncGenerator<unknown> => {
    steps ??= watchItems()
    return steps
  }
  stream.next = () => getSteps().next()
  stream.return = async (value) => {
    const step = await getSteps().return(await value)
    // A generator that is abandoned before its first step ends without having started.
    onReturn()
    return step
  }
  stream.throw = (error) => getSteps().throw(error)
  stream[Symbol.asyncIterator] = getSteps
}
