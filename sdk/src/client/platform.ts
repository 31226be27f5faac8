/**
 * What only some platforms have, found without importing it: the core runs wherever there is `fetch`.
 * Each function answers undefined, or does nothing, where there is no such thing.
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

/** Where an experiment shows how far it is: standard error, or anything like it. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Every part is optional, and looked at before it is used. */
const platform = (): Platform => globalThis as unknown as Platform

/** The process of Next.js's edge runtime throws at whoever looks at what it does not have. */
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

/** Standard error, where there is one. */
export const standardError = (): Screen | undefined => platform().process?.stderr

/** The variables of the environment, where there is one. */
export const environmentVariables = (): Readonly<Record<string, string | undefined>> =>
  platform().process?.env ?? {}

/** Whether the page is hidden, and so may be gone at any moment. */
export const isHidden = (): boolean => platform().document?.visibilityState === 'hidden'

/** What to do when the process has nothing left to do, and when the page is hidden. Returns what takes it back. */
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

/** A timer that does not keep a process alive; returns what stops it. */
export function quietTimer(act: () => void, delayMs: number): () => void {
  const timer: unknown = setTimeout(act, delayMs)
  // Browsers and some workers have numbers for timers.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
}
