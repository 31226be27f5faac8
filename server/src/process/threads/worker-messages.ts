/** The messages between a pool of worker threads and its threads. */

export interface TaskMessage<Task> {
  readonly id: number
  readonly task: Task
  /** The pool wants to know when the task starts, since its deadline counts from there. */
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
