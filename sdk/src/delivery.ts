/**
 * The way of finished records to the service, in the background. What the application sees of it are counts, and
 * errors told to `onError`: nothing here throws into it or waits for the network.
 *
 * Each record keeps one Idempotency-Key over all its tries, so a lost answer never stores it twice. After a failure
 * everything pauses, for longer each time, and one record tries whether the service is back before the others follow.
 * Records travel side by side; only those of the same subject follow one another, since there the last one counts.
 */
import { type DropReason, dropReasons, RecordDropped } from './errors.ts'
import type { Connection } from './exchange.ts'
import { makePause, type Pause, type PauseOptions } from './pause.ts'
import { isHidden, onLeaving, quietTimer } from './platform.ts'
import { sendOnce } from './send-once.ts'
import { Turns } from './turns.ts'

export interface DeliveryOptions extends PauseOptions {
  /** Most records that wait at a time; later ones are dropped. */
  readonly recordsMax: number
  /** Most bytes of bodies that wait at a time; later records are dropped. */
  readonly bytesMax: number
  /** Most requests under way at a time. */
  readonly concurrency: number
  /** How long records gather before they are sent, in milliseconds. */
  readonly batchDelayMs: number
  /** Told of each record that is lost, and of the first failure of an outage; on the console by default. */
  readonly onError: (error: Error) => void
}

export interface DeliveryStats {
  /** Records that wait or are on their way. */
  readonly pending: number
  /** Bytes of their bodies. */
  readonly pendingBytes: number
  /** Records that the service has taken. */
  readonly delivered: number
  /** Tries that failed and were, or will be, repeated. */
  readonly retried: number
  /** Records, and single logs of them, that were lost, by the reason. */
  readonly dropped: Readonly<Record<DropReason, number>>
}

/** A record as it waits. */
export interface Waiting {
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly key: string
  readonly sinceMs: number
  /** Counts all records of the client. */
  readonly number: number
  /** What it concerns, where it must arrive after those that were taken before it and concern the same. */
  readonly subject: string | undefined
  readonly settle: (answer: unknown) => void
}

/** So many records do not gather any longer. */
const batchRecords = 100
/** The service's own limit of a body. */
const bodyBytesMax = 16 * 2 ** 20
/** The service remembers a key for 24 hours. */
const ageMsMax = 23 * 3_600_000
/** How long the end of a process may be held up. */
const exitFlushMs = 5_000
/** What browsers let outlive a page. */
const keepaliveBytesMax = 60_000

/** Waits for the records that came before it. */
interface Flush {
  readonly upTo: number
  left: number
  readonly done: () => void
}

export class Delivery {
  readonly #connection: Connection
  readonly #options: DeliveryOptions
  readonly #pause: Pause
  /** Those whose turn it is, oldest first. */
  readonly #waiting: Waiting[] = []
  /** Records at which the service itself failed: they wait behind all others, which may have nothing to do with it. */
  readonly #suspect: Waiting[] = []
  readonly #underWay = new Set<Waiting>()
  readonly #turns = new Turns<Waiting>()
  readonly #flushes = new Set<Flush>()
  readonly #dropped = Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<
    DropReason,
    number
  >
  readonly #encoder = new TextEncoder()
  #taken = 0
  #bytes = 0
  #delivered = 0
  #retried = 0
  #isClosed = false
  #stopTimer: (() => void) | undefined
  #stopListening: (() => void) | undefined

  constructor(connection: Connection, options: DeliveryOptions) {
    this.#connection = connection
    this.#options = options
    this.#pause = makePause(options)
  }

  get stats(): DeliveryStats {
    return {
      pending: this.#pending,
      pendingBytes: this.#bytes,
      delivered: this.#delivered,
      retried: this.#retried,
      dropped: { ...this.#dropped },
    }
  }

  /** Takes a record. `settle` is called once: with the service's answer, or with undefined when the record is lost. */
  add(path: string, json: string, settle: (answer: unknown) => void, subject?: string): void {
    const body = this.#encoder.encode(json)
    const reason = this.#refusal(body)
    if (reason !== undefined) {
      settle(undefined)
      this.drop(...reason)
      return
    }
    this.#bytes += body.length
    const record = {
      path,
      body,
      key: crypto.randomUUID(),
      sinceMs: Date.now(),
      number: ++this.#taken,
      subject,
      settle,
    }
    if (this.#turns.take(record)) this.#waiting.push(record)
    this.#stopListening ??= onLeaving({ exit: () => this.#leave(), hide: () => this.#go() })
    if (this.#waiting.length >= batchRecords) this.#go()
    else this.#wake(this.#options.batchDelayMs)
  }

  /** Counts something lost, and tells of it. */
  drop(reason: DropReason, sentence: string, cause?: unknown): void {
    this.#dropped[reason]++
    this.#options.onError(new RecordDropped(reason, sentence, cause === undefined ? {} : { cause }))
  }

  /** Resolves when every record that was taken before is delivered or lost, or when the time is up; never rejects. */
  async flush(timeoutMs: number): Promise<DeliveryStats> {
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        const flush: Flush = {
          upTo: this.#taken,
          left: this.#pending,
          done: () => {
            clearTimeout(timer)
            this.#flushes.delete(flush)
            resolve()
          },
        }
        // Not a quiet timer: the process must live until the flush has ended.
        const timer = setTimeout(flush.done, timeoutMs)
        this.#flushes.add(flush)
        this.#pause.cutShort()
        this.#go()
      })
    }
    return this.stats
  }

  /** Flushes, gives up what is left, and takes nothing from then on. */
  async close(timeoutMs: number): Promise<DeliveryStats> {
    await this.flush(timeoutMs)
    this.#isClosed = true
    this.#giveUp()
    return this.stats
  }

  get #pending(): number {
    return this.#waiting.length + this.#suspect.length + this.#underWay.size + this.#turns.waiting
  }

  #refusal(body: Uint8Array): [DropReason, string] | undefined {
    const { recordsMax, bytesMax } = this.#options
    if (this.#isClosed) return ['closed', 'The client was closed before this record came.']
    if (body.length > bodyBytesMax)
      return ['too_large', `A record has ${body.length} bytes; 16 MiB are taken.`]
    if (this.#pending >= recordsMax) return ['buffer_full', `${recordsMax} records are waiting already.`]
    if (this.#bytes + body.length > bytesMax) return ['buffer_full', `${bytesMax} bytes are waiting already.`]
    return undefined
  }

  /** Sends within `delayMs`, unless it is going to happen anyway. */
  #wake(delayMs: number): void {
    this.#stopTimer ??= quietTimer(() => this.#go(), Math.max(delayMs, this.#pause.remainingMs()))
  }

  /** Sends what waits, as far as the pause and the concurrency allow. */
  #go(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const { concurrency } = this.#options
    while (this.#waiting.length + this.#suspect.length > 0) {
      if (this.#pause.remainingMs() > 0) {
        this.#wake(0)
        return
      }
      if (this.#underWay.size >= (this.#pause.isTrying ? 1 : concurrency)) return
      const record = (this.#waiting.shift() ?? this.#suspect.shift()) as Waiting
      if (Date.now() - record.sinceMs > ageMsMax) {
        this.#settle(record, undefined)
        this.drop('expired', 'A record could not be delivered for 23 hours.')
      } else {
        void this.#send(record)
      }
    }
  }

  async #send(record: Waiting): Promise<void> {
    this.#underWay.add(record)
    const outage = this.#pause.outage
    const keepalive = isHidden() && record.body.length <= keepaliveBytesMax
    const sent = await sendOnce(this.#connection, record, keepalive)
    // Given up meanwhile.
    if (!this.#underWay.delete(record)) return
    switch (sent.type) {
      case 'taken':
        this.#pause.end()
        this.#delivered++
        this.#settle(record, sent.answer)
        break
      case 'refused':
        this.#pause.end()
        this.#settle(record, undefined)
        this.drop('refused', `A record was refused: ${sent.error.message}`, sent.error)
        break
      case 'failed':
        this.#retried++
        if (sent.isSuspect) this.#suspect.push(record)
        else this.#waiting.unshift(record)
        if (this.#pause.begin(outage, sent.retryAfterSeconds) === 'outage') this.#options.onError(sent.error)
    }
    this.#go()
  }

  #settle(record: Waiting, answer: unknown): void {
    this.#bytes -= record.body.length
    const next = this.#turns.end(record)
    if (next !== undefined) this.#waiting.unshift(next)
    record.settle(answer)
    for (const flush of [...this.#flushes]) {
      if (record.number <= flush.upTo && --flush.left === 0) flush.done()
    }
    if (this.#pending > 0) return
    this.#stopListening?.()
    this.#stopListening = undefined
  }

  /** `beforeExit` comes again when the flush has ended, and by then there is nothing left. */
  #leave(): void {
    void this.flush(exitFlushMs).then(() => this.#giveUp())
  }

  #giveUp(): void {
    this.#stopTimer?.()
    const left = [
      ...this.#underWay,
      ...this.#waiting.splice(0),
      ...this.#suspect.splice(0),
      ...this.#turns.clear(),
    ]
    this.#underWay.clear()
    for (const record of left) {
      this.#settle(record, undefined)
      this.drop('closed', 'A record could not be delivered before the end.')
    }
  }
}
