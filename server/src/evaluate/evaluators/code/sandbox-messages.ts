/** The messages between the main thread and a code thread. */
import type { Verdict } from '../rules/judge.ts'
import type { CodeFailure, Limits } from './limits.ts'

export interface Task {
  readonly workspaceId: string
  readonly source: string
  /** The argument of the code, as JSON; undefined to only check the code. */
  readonly subject: string | undefined
  readonly limits: Limits
}

/** A task as a thread gets it. */
export interface EngineTask extends Task {
  /** Shared by all threads, not copied. */
  readonly engineModule: WebAssembly.Module
}

export type Reply =
  | { readonly type: 'judged'; readonly verdict: Verdict | undefined }
  | {
      readonly type: 'failed'
      readonly reason: CodeFailure
      readonly message: string
      readonly line: number | undefined
      /** For our logs only. */
      readonly cause?: string
    }
