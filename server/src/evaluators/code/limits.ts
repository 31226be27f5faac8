/** What code of people may take, and what it is told when it takes more. */

export interface Limits {
  /** From when the code begins; what waits for a thread does not count. */
  readonly timeoutMs: number
  readonly memoryBytes: number
}

export const defaultLimits: Limits = { timeoutMs: 1000, memoryBytes: 128 * 1024 * 1024 }

/** An evaluator may ask for more time, up to this. */
export const timeoutMsMax = 10_000
export const sourceCharactersMax = 100_000
/** A text as a verdict is a category, and no essay. */
export const categoryCharactersMax = 200
/** A longer comment is cut. */
export const commentCharactersMax = 2000

/**
 * Why code gave no verdict: it cannot be read, it threw, it took too long or too much memory, what it returned is no
 * verdict, or it broke the engine that ran it.
 */
export type CodeFailure = 'syntax' | 'threw' | 'timeout' | 'memory' | 'returned' | 'broke'

/** Code gave no verdict. The message is for who wrote the code. */
export class CodeFailed extends Error {
  override readonly name = 'CodeFailed'
  readonly reason: CodeFailure
  /** The line of the source, from 1, where one is known. */
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
  new CodeFailed('memory', `The code took more than ${Math.round(memoryBytes / 1024 / 1024)} MB of memory.`)
