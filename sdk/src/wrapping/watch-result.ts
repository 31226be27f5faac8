/** Watches what a call gives back without changing it for the caller. */

export interface Watcher {
  /** Told of the value once; what it returns is passed on in its place. */
  value(value: unknown): unknown
  failed(error: unknown): void
  /** Told when the caller took the bare response: its body is theirs to read. */
  unread(): void
}

type CallPromise = Promise<unknown> & {
  withResponse?(): Promise<{ data: unknown }>
  _thenUnwrap?(transform: Transform): CallPromise
}

type Transform = (data: unknown, ...rest: unknown[]) => unknown

/**
 * The same promise, watched. Clients like OpenAI's give promises with methods of their own, and read the body only when
 * it is asked for; so nothing is read here before the caller asks.
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
  // A plain promise has begun to read by itself: when it is done does not depend on who waits for it.
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
    // A promise of the same response that reads it by itself: OpenAI's conveniences await it in place of this one.
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
 * Watches a stream that was made for one call, in place, so that every way of reading it is watched (OpenAI's has
 * `tee()` and more, all of which begin with its `iterator`; Google's is a generator, which can be asked for each item).
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

/** What reads the stream as it was before it is watched. */
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

/** There is one way through a generator, whoever takes the next step of it. */
function watchSteps(stream: Stream, watchItems: () => AsyncGenerator<unknown>, onReturn: () => void): void {
  let steps: AsyncGenerator<unknown> | undefined
  const getSteps = (): AsyncGenerator<unknown> => {
    steps ??= watchItems()
    return steps
  }
  stream.next = () => getSteps().next()
  stream.return = async (value) => {
    const step = await getSteps().return(await value)
    // One that is left before its first step ends without having begun.
    onReturn()
    return step
  }
  stream.throw = (error) => getSteps().throw(error)
  stream[Symbol.asyncIterator] = getSteps
}
