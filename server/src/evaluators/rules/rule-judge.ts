/** Rules judge away from the event loop: most take microseconds, and some, of long texts or odd patterns, seconds. */
import { Worker } from 'node:worker_threads'
import { invalid } from '@plumbline/contract'
import type { Judgement } from './judge.ts'
import type { RuleKind } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'
import type { Subject } from './subject.ts'

interface Asked {
  readonly question: Question
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

/** One thread, which is begun when there is something to judge, also after it died. */
export class RuleJudge {
  #worker: Worker | undefined
  /** In the order they were asked; the first is being judged. */
  #asked: Asked[] = []
  #hasAnswered = false
  #deadline: NodeJS.Timeout | undefined
  #rest: NodeJS.Timeout | undefined
  #isClosed = false

  /** What a rule says. Rejects with `invalid_request` for a configuration that cannot be. */
  judge(kind: RuleKind, config: string, subject: Subject): Promise<Judgement> {
    if (this.#isClosed) return Promise.reject(closed())
    clearTimeout(this.#rest)
    const question = { kind, config, subject: seenBy(kind, subject) }
    return new Promise((resolve, reject) => {
      this.#asked.push({ question, resolve, reject })
      this.#worker ??= this.#begin()
      this.#worker.ref()
      this.#worker.postMessage(question)
      if (this.#asked.length === 1) this.#wait()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    clearTimeout(this.#deadline)
    for (const { reject } of this.#asked.splice(0)) reject(closed())
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

  #wait(): void {
    clearTimeout(this.#deadline)
    const patienceMs = this.#hasAnswered ? answerMsMax : beginMsMax
    this.#deadline = setTimeout(() => this.#again(undefined), patienceMs).unref()
  }

  #hear(reply: Reply): void {
    this.#hasAnswered = true
    const answered = this.#asked.shift()
    this.#next()
    if (reply.type === 'judged') answered?.resolve(reply.judgement)
    else if (reply.type === 'invalid') answered?.reject(invalid(reply.path, reply.problem))
    else answered?.reject(new Error(reply.error))
  }

  #next(): void {
    if (this.#asked.length > 0) {
      this.#wait()
      return
    }
    clearTimeout(this.#deadline)
    // A thread without work keeps no process alive.
    this.#worker?.unref()
    this.#rest = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, restMs).unref()
  }

  /** The first question is given up, and another thread is asked the rest. */
  #again(failure: Error | undefined): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    const first = this.#asked.shift()
    if (failure === undefined) first?.resolve(tookTooLong)
    else first?.reject(failure)
    if (this.#asked.length === 0 || this.#isClosed) return
    this.#worker = this.#begin()
    for (const { question } of this.#asked) this.#worker.postMessage(question)
    this.#wait()
  }
}

const closed = (): Error => new Error('The service is stopping.')

const nothing = { variables: {}, context: [], logs: [] }

/** Only calls of tools are looked for in logs, and what goes to a thread is copied. */
const seenBy = (kind: RuleKind, subject: Subject): Subject =>
  kind === 'tool_calls' ? subject : { ...subject, ...nothing }
