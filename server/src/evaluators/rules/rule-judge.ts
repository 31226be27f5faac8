/** Rules judge away from the event loop: most take microseconds, and some, of long texts or odd patterns, seconds. */
import { Worker } from 'node:worker_threads'
import { invalid } from '@plumbline/contract'
import { makeTurns, type Turn } from '../turns.ts'
import type { Judgement } from './judge.ts'
import type { RuleKind } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'
import type { Subject } from './subject.ts'

interface Asked {
  readonly question: Question
  readonly turn: Turn
  readonly resolve: (judgement: Judgement) => void
  readonly reject: (error: Error) => void
}

/** A rule that takes longer gives no verdict. */
const answerMsMax = 2000
/** The first answer waits for the thread to begin. */
const beginMsMax = 20_000
/** At rest the thread is let go. */
const restMs = 30_000

const tookTooLong: Judgement = {
  value: null,
  comment: `The rule took longer than ${answerMsMax} ms on this.`,
}

/**
 * One thread, which is begun when there is something to judge, also after it died. It has one question at a time, so
 * that a workspace with many slow rules delays another's by one of them.
 */
export class RuleJudge {
  #worker: Worker | undefined
  #underWay: Asked | undefined
  readonly #waiting: Asked[] = []
  readonly #turns = makeTurns(1)
  #hasAnswered = false
  #deadline: NodeJS.Timeout | undefined
  #rest: NodeJS.Timeout | undefined
  #isClosed = false

  /** What a rule of a workspace says. Rejects with `invalid_request` for a configuration that cannot be. */
  judge(kind: RuleKind, config: string, subject: Subject, workspaceId: string): Promise<Judgement> {
    if (this.#isClosed) return Promise.reject(closed())
    const question = { kind, config, subject: seenBy(kind, subject) }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, turn: { workspaceId, source: config }, resolve, reject })
      if (this.#underWay === undefined) this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    clearTimeout(this.#deadline)
    this.#underWay?.reject(closed())
    this.#underWay = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await this.#worker?.terminate()
  }

  #begin(): Worker {
    this.#hasAnswered = false
    const worker = new Worker(new URL('./rule-thread.ts', import.meta.url), { env: {} })
    worker.on('message', (reply: Reply) => this.#hear(reply))
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#again(new Error('The thread of rules ended.', { cause }))
    })
    return worker
  }

  #hear(reply: Reply): void {
    this.#hasAnswered = true
    const answered = this.#underWay
    this.#next()
    if (reply.type === 'judged') answered?.resolve(reply.judgement)
    else if (reply.type === 'invalid') answered?.reject(invalid(reply.path, reply.problem))
    else answered?.reject(new Error(reply.error))
  }

  /** Puts the next question, or lets the thread go where there is none. */
  #next(): void {
    clearTimeout(this.#deadline)
    clearTimeout(this.#rest)
    this.#underWay = undefined
    const at = this.#turns.next(
      this.#waiting.map(({ turn }) => turn),
      [],
    )
    if (at === undefined || this.#isClosed) {
      this.#restSoon()
      return
    }
    const [asked] = this.#waiting.splice(at, 1)
    this.#underWay = asked
    this.#worker ??= this.#begin()
    this.#worker.ref()
    this.#worker.postMessage(asked?.question)
    const patienceMs = this.#hasAnswered ? answerMsMax : beginMsMax
    this.#deadline = setTimeout(() => this.#again(undefined), patienceMs).unref()
  }

  #restSoon(): void {
    // A thread without work keeps no process alive.
    this.#worker?.unref()
    this.#rest = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, restMs).unref()
  }

  /** The question under way is given up, and another thread is asked the next. */
  #again(failure: Error | undefined): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    const given = this.#underWay
    if (failure === undefined) given?.resolve(tookTooLong)
    else given?.reject(failure)
    this.#next()
  }
}

const closed = (): Error => new Error('The service is stopping.')

const nothing = { variables: {}, context: [], logs: [] }

/** Only calls of tools are looked for in logs, and what goes to a thread is copied. */
const seenBy = (kind: RuleKind, subject: Subject): Subject =>
  kind === 'tool_calls' ? subject : { ...subject, ...nothing }
