/**
 * Features that only some platforms have, detected without imports: the core runs wherever there is `fetch`.
 * Each function returns undefined, or does nothing, if the feature is missing.
 */

interface Storage<Value> {
  run<Result>(value: Value, act: () => Result): Result
  getStore(): Value | undefined
}

/** The parts of the platforms' globals that are used here. */
interface Platform {
  readonly AsyncLocalStorage?: new <Value>() => Storage<Value>
  readonly process?: {
    getBuiltinModule?(
      name: string,
    ): { readonly AsyncLocalStorage: new <Value>() => Storage<Value> } | undefined
    on?(event: string, listener: () => void): void
    off?(event: string, listener: () => void): void
    readonly stderr?: Screen
    readonly env?: Readonly<Record<string, string | undefined>>
  }
  readonly document?: {
    readonly visibilityState: string
    addEventListener(event: string, listener: () => void): void
    removeEventListener(event: string, listener: () => void): void
  }
}

/** Where an experiment shows its progress: standard error, or something similar. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Every part is optional, and checked before use. */
const platform = (): Platform => globalThis as unknown as Platform

/** In Next.js's edge runtime, reading a missing property of `process` throws. */
function readQuietly<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A value that follows an asynchronous chain of calls; undefined on platforms that cannot do this. */
export function asyncStorage<Value>(): Storage<Value> | undefined {
  const {
    AsyncLocalStorage = readQuietly(
      () => platform().process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage,
    ),
  } = platform()
  return AsyncLocalStorage === undefined ? undefined : new AsyncLocalStorage<Value>()
}

/** Standard error, if there is one. */
export const standardError = (): Screen | undefined => platform().process?.stderr

/** The environment variables, if there are any. */
export const environmentVariables = (): Readonly<Record<string, string | undefined>> =>
  platform().process?.env ?? {}

/** Whether the page is hidden, so that it may be closed at any moment. */
export const isHidden = (): boolean => platform().document?.visibilityState === 'hidden'

/** Calls back when the process has nothing left to do, and when the page is hidden. Returns a function that stops it. */
export function onLeaving(leave: { readonly exit: () => void; readonly hide: () => void }): () => void {
  const { process, document } = platform()
  const visibilityChanged = (): void => {
    if (isHidden()) leave.hide()
  }
  readQuietly(() => process?.on?.('beforeExit', leave.exit))
  document?.addEventListener('visibilitychange', visibilityChanged)
  return () => {
    readQuietly(() => process?.off?.('beforeExit', leave.exit))
    document?.removeEventListener('visibilitychange', visibilityChanged)
  }
}

/** Starts a timer that does not keep the process alive; returns a function that stops it. */
export function quietTimer(act: () => void, delayMs: number): () => void {
  const timer: unknown = setTimeout(act, delayMs)
  // In browsers and some workers, timers are numbers.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
}
