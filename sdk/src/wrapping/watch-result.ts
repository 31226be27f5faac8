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

export type Stream = AsyncIterable<unknown> & { iterator?: () => AsyncIterator<unknown> }

export const isStream = (value: unknown): value is Stream =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/**
 * Watches a stream that was made for one call, in place, so that every way of reading it is watched (OpenAI's has
 * `tee()` and more, all of which begin with its `iterator`).
 */
export function observeStream(
  stream: Stream,
  watcher: { item(item: unknown): void; ended(error?: unknown): void },
): Stream {
  const begin = (stream.iterator ?? stream[Symbol.asyncIterator]).bind(stream)
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
  if (stream.iterator === undefined) stream[Symbol.asyncIterator] = watchItems
  else stream.iterator = watchItems
  return stream
}
