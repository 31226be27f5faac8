/** Runs rules off the event loop: most take microseconds, but long texts or odd patterns take seconds. */
import { invalid } from '@plumbline/contract'
import { PoolClosed, TaskTimedOut, WorkerPool } from '../../../process/threads/worker-pool.ts'
import { makeFairScheduler, type TaskOwner } from '../fair-scheduler.ts'
import type { Verdict } from './judge.ts'
import type { RuleKind } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'
import type { Subject } from './subject.ts'

/** A rule that takes longer gives no verdict. */
const timeoutMs = 2000
/** An idle thread ends after this time. */
const idleTimeoutMs = 30_000

const tookTooLong: Verdict = { value: null, comment: `The rule took longer than ${timeoutMs} ms.` }

/** One thread, which gets one task at a time: a workspace with many slow rules delays another by at most one. */
export class RuleJudge {
  readonly #scheduler = makeFairScheduler(1)
  readonly #pool = new WorkerPool<Question, Reply>(new URL('./rule-thread.ts', import.meta.url), {
    idleTimeoutMs,
    hasEnvironment: false,
    next: (queue, active) => this.#scheduler.next(queue.map(ownerOf), active.map(ownerOf)),
  })

  /** The verdict of a workspace's rule. Rejects with `invalid_request` for an invalid configuration. */
  async judge(kind: RuleKind, config: string, subject: Subject, workspaceId: string): Promise<Verdict> {
    const question = { kind, config, subject: toRuleSubject(kind, subject), workspaceId }
    try {
      const reply = await this.#pool.run(question, { timeoutMs })
      if (reply.type === 'invalid') throw invalid(reply.path, reply.problem)
      return reply.verdict
    } catch (error) {
      if (error instanceof TaskTimedOut) return tookTooLong
      throw error instanceof PoolClosed ? new Error('The service is stopping.') : error
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

const ownerOf = ({ workspaceId, config }: Question): TaskOwner => ({ workspaceId, source: config })

const nothing = { variables: {}, context: [], logs: [] }

/** Messages to a thread are copied, and only the rule for tool calls reads logs. */
const toRuleSubject = (kind: RuleKind, subject: Subject): Subject =>
  kind === 'tool_calls' ? subject : { ...subject, ...nothing }
