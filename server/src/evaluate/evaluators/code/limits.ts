/** Limits for user code, and the errors for exceeding them. */

export interface Limits {
  /** Counts from when the code starts, without the wait for a thread. */
  readonly timeoutMs: number
  readonly memoryBytes: number
}

export const defaultLimits: Limits = { timeoutMs: 1000, memoryBytes: 128 * 1024 * 1024 }

/** An evaluator may configure more time, up to this. */
export const timeoutMsMax = 10_000
export const sourceCharactersMax = 100_000
/** A text verdict is a category, not an essay. */
export const categoryCharactersMax = 200
/** Longer comments are truncated. */
export const commentCharactersMax = 2000

/** Why code gave no verdict; `returned` means a value that is not a verdict, `broke` a crash of the engine. */
export type CodeFailure = 'syntax' | 'threw' | 'timeout' | 'memory' | 'returned' | 'broke'

/** Code gave no verdict. The message is for the author of the code. */
export class CodeFailed extends Error {
  override readonly name = 'CodeFailed'
  readonly reason: CodeFailure
  /** The line of the source, from 1, if known. */
  readonly line: number | undefined

  constructor(reason: CodeFailure, message: string, line?: number, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
    this.line = line
  }
}

export const tookTooLong = ({ timeoutMs }: Limits): CodeFailed =>
  new CodeFailed('timeout', `The code took longer than ${timeoutMs} ms.`)

export const tookTooMuch = ({ memoryBytes }: Limits): CodeFailed =>
  new CodeFailed('memory', `The code used more than ${Math.round(memoryBytes / 1024 / 1024)} MB of memory.`)
