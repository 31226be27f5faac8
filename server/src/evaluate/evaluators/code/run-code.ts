/** Runs user code off the event loop, on threads that start on demand. */
import { PoolClosed, TaskTimedOut, WorkerEnded, WorkerPool } from '../../../process/threads/worker-pool.ts'
import { makeFairScheduler } from '../fair-scheduler.ts'
import type { Verdict } from '../rules/judge.ts'
import type { Subject } from '../rules/subject.ts'
import { compiledEngine } from './engine-module.ts'
import { CodeFailed, defaultLimits, type Limits, tookTooLong } from './limits.ts'
import type { EngineTask, Reply, Task } from './sandbox-messages.ts'

/**
 * The engine interrupts code at its deadline, except inside its own functions; then the thread is terminated, after this
 * grace period, so that the engine's own error comes first.
 */
const graceMs = 250
/** Idle threads end after this time. */
const idleTimeoutMs = 30_000

/** Runs code for one workspace. */
export interface Sandbox {
  /** The verdict of the source on the subject. Rejects with `CodeFailed` if there is none. */
  runCode(source: string, subject: Subject, limits?: Limits): Promise<Verdict>
  /** Compiles the source without judging. Rejects with `CodeFailed` if it cannot be read or exports no function. */
  checkCode(source: string): Promise<void>
}

declare module '../../../workspace/workspace.ts' {
  interface Workspace {
    /** Runs the code of the workspace's evaluators. */
    readonly sandbox: Sandbox
  }
}

/** The thread pool, which all workspaces share. */
export class CodeSandbox {
  readonly #pool: WorkerPool<EngineTask, Reply>

  constructor({ threadsMax = 3 }: { readonly threadsMax?: number } = {}) {
    const scheduler = makeFairScheduler(threadsMax)
    this.#pool = new WorkerPool<EngineTask, Reply>(new URL('./sandbox-thread.ts', import.meta.url), {
      threadsMax,
      idleTimeoutMs,
      // The code must not see our environment.
      hasEnvironment: false,
      next: scheduler.next,
    })
  }

  of(workspaceId: string): Sandbox {
    return {
      runCode: async (source, subject, limits = defaultLimits) => {
        const text = JSON.stringify(toArgument(subject))
        // Safe: a task with a subject yields a verdict.
        return (await this.#run({ workspaceId, source, subject: text, limits })) as Verdict
      },
      checkCode: async (source) => {
        await this.#run({ workspaceId, source, subject: undefined, limits: defaultLimits })
      },
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(task: Task): Promise<Verdict | undefined> {
    const reply = await this.#replyTo(task)
    if (reply.type === 'judged') return reply.verdict
    throw new CodeFailed(reply.reason, reply.message, reply.line, { cause: reply.cause })
  }

  async #replyTo(task: Task): Promise<Reply> {
    try {
      const engineTask = { ...task, engineModule: await compiledEngine() }
      return await this.#pool.run(engineTask, { timeoutMs: task.limits.timeoutMs + graceMs })
    } catch (error) {
      if (error instanceof TaskTimedOut) throw tookTooLong(task.limits)
      if (error instanceof PoolClosed) throw new Error('The sandbox is closed.')
      if (!(error instanceof WorkerEnded)) throw error
      throw new CodeFailed('broke', 'The code crashed the engine that ran it.', undefined, error)
    }
  }
}

/** The argument of user code: the subject, with its token counts grouped. */
const toArgument = ({ inputTokens, outputTokens, ...subject }: Subject): object => ({
  ...subject,
  tokens: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
})
