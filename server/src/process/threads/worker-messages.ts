/** The messages between a pool of worker threads and its threads. */

export interface TaskMessage<Task> {
  readonly id: number
  readonly task: Task
  /** Whether the pool needs to know when the task starts, because its timeout starts then. */
  readonly reportsStart: boolean
}

export type TaskReply<Result> =
  | { readonly id: number; readonly type: 'started' }
  | { readonly id: number; readonly type: 'done'; readonly result: Result }
  | {
      readonly id: number
      readonly type: 'failed'
      readonly message: string
      readonly stack: string | undefined
    }
