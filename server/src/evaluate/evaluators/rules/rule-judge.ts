/** Runs rules off the event loop: most take microseconds, but long texts or odd patterns take seconds. */
import { Worker } from 'node:worker_threads'
import { invalid } from '@plumbline/contract'
import { makeFairScheduler, type TaskOwner } from '../fair-scheduler.ts'
import type { Verdict } from './judge.ts'
import type { RuleKind } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'
import type { Subject } from './subject.ts'

interface QueuedQuestion {
  readonly question: Question
  readonly owner: TaskOwner
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: Error) => void
}

/** A rule that takes longer gives no verdict. */
const replyTimeoutMs = 2000
/** The first reply waits for the thread to start. */
const startTimeoutMs = 20_000
/** An idle thread ends after this. */
const idleTimeoutMs = 30_000

const tookTooLong: Verdict = {
  value: null,
  comment: `The rule took longer than ${replyTimeoutMs} ms on this.`,
}

/**
 * One thread, started on demand and restarted after a crash. It gets one question at a time, so that a workspace with many
 * slow rules delays another by at most one of them.
 */
export class RuleJudge {
  #worker: Worker | undefined
  #current: QueuedQuestion | undefined
  readonly #waiting: QueuedQuestion[] = []
  readonly #scheduler = makeFairScheduler(1)
  #hasReplied = false
  #deadline: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  /** The verdict of a workspace's rule. Rejects with `invalid_request` for an invalid configuration. */
  judge(kind: RuleKind, config: string, subject: Subject, workspaceId: string): Promise<Verdict> {
    if (this.#isClosed) return Promise.reject(closedError())
    const question = { kind, config, subject: toRuleSubject(kind, subject) }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, owner: { workspaceId, source: config }, resolve, reject })
      if (this.#current === undefined) this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#deadline)
    this.#current?.reject(closedError())
    this.#current = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(closedError())
    await this.#worker?.terminate()
  }

  #startThread(): Worker {
    this.#hasReplied = false
    const worker = new Worker(new URL('./rule-thread.ts', import.meta.url), { env: {} })
    worker.on('message', (reply: Reply) => this.#handleReply(reply))
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#abandon(new Error('The thread of rules ended.', { cause }))
    })
    return worker
  }

  #handleReply(reply: Reply): void {
    this.#hasReplied = true
    const request = this.#current
    this.#next()
    if (reply.type === 'judged') request?.resolve(reply.verdict)
    else if (reply.type === 'invalid') request?.reject(invalid(reply.path, reply.problem))
    else request?.reject(new Error(reply.error))
  }

  /** Sends the next question, or schedules the end of an idle thread. */
  #next(): void {
    clearTimeout(this.#deadline)
    clearTimeout(this.#idleTimer)
    this.#current = undefined
    const index = this.#scheduler.next(
      this.#waiting.map(({ owner }) => owner),
      [],
    )
    if (index === undefined || this.#isClosed) {
      this.#scheduleIdleStop()
      return
    }
    const [request] = this.#waiting.splice(index, 1)
    this.#current = request
    this.#worker ??= this.#startThread()
    this.#worker.ref()
    this.#worker.postMessage(request?.question)
    const timeoutMs = this.#hasReplied ? replyTimeoutMs : startTimeoutMs
    this.#deadline = setTimeout(() => this.#abandon(undefined), timeoutMs).unref()
  }

  #scheduleIdleStop(): void {
    // An idle thread must not keep the process alive.
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, idleTimeoutMs).unref()
  }

  /** Abandons the current question and its thread; a new thread gets the next question. */
  #abandon(failure: Error | undefined): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    const request = this.#current
    if (failure === undefined) request?.resolve(tookTooLong)
    else request?.reject(failure)
    this.#next()
  }
}

const closedError = (): Error => new Error('The service is stopping.')

const nothing = { variables: {}, context: [], logs: [] }

/** Messages to a thread are copied, and only the rule on tool calls reads logs. */
const toRuleSubject = (kind: RuleKind, subject: Subject): Subject =>
  kind === 'tool_calls' ? subject : { ...subject, ...nothing }
