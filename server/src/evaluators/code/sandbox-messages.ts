/** What the main thread and a thread that runs code say to each other. */
import type { Judgement } from '../rules/judge.ts'
import type { CodeFailure, Limits } from './limits.ts'

export interface Task {
  readonly source: string
  /** What the code is called with, as JSON; undefined where it is only looked at. */
  readonly subject: string | undefined
  readonly limits: Limits
}

export type Reply =
  /** From now on its time counts. */
  | { readonly type: 'begun' }
  | { readonly type: 'judged'; readonly judgement: Judgement | undefined }
  | {
      readonly type: 'failed'
      readonly reason: CodeFailure
      readonly message: string
      readonly line: number | undefined
      /** What only we should see. */
      readonly cause?: string
    }
