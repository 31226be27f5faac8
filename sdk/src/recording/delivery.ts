/**
 * Delivers finished records to the service in the background. The application sees only counts and the errors passed to
 * `onError`: nothing here throws into it or makes it wait for the network.
 *
 * Each record keeps one Idempotency-Key across all attempts, so a lost response never stores it twice. After a failure
 * delivery pauses with exponential backoff, and a single record probes the service before the others follow.
 * Records are sent concurrently; only records of the same subject are sent in order, since the last one wins.
 */
import { type DropReason, dropReasons, RecordDropped } from '../client/errors.ts'
import type { Connection } from '../client/exchange.ts'
import { makePause, type Pause, type PauseOptions } from '../client/pause.ts'
import { isHidden, onLeaving, quietTimer } from '../client/platform.ts'
import { sendOnce } from '../client/send-once.ts'
import { KeyedQueue } from './keyed-queue.ts'

export interface DeliveryOptions extends PauseOptions {
  /** Maximum number of waiting records; further ones are dropped. */
  readonly recordsMax: number
  /** Maximum bytes of waiting bodies; further records are dropped. */
  readonly bytesMax: number
  /** Maximum concurrent requests. */
  readonly concurrency: number
  /** How long to collect records before sending them, in milliseconds. */
  readonly batchDelayMs: number
  /** Called for each dropped record and for the first failure of an outage; logs to the console by default. */
  readonly onError: (error: Error) => void
}

export interface DeliveryStats {
  /** Records that are waiting or in flight. */
  readonly pending: number
  /** Bytes of their bodies. */
  readonly pendingBytes: number
  /** Records that the service has stored. */
  readonly delivered: number
  /** Failed attempts that were or will be retried. */
  readonly retried: number
  /** Dropped records and single logs, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>
}

/** A record that waits for delivery. */
export interface PendingRecord {
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly key: string
  readonly createdAtMs: number
  /** Sequence number among all records of the client. */
  readonly number: number
  /** Records with the same subject are delivered in order. */
  readonly subject: string | undefined
  readonly settle: (answer: unknown) => void
}

/** This many records are sent without further delay. */
const batchRecords = 100
/** The service's limit for a body. */
const bodyBytesMax = 16 * 2 ** 20
/** The service remembers a key for 24 hours. */
const ageMsMax = 23 * 3_600_000
/** How long delivery may delay the exit of a process. */
const exitFlushMs = 5_000
/** The limit of browsers for requests that outlive a page. */
const keepaliveBytesMax = 60_000

/** A pending flush of all records added before it. */
interface Flush {
  readonly lastNumber: number
  remaining: number
  readonly done: () => void
}

export class Delivery {
  readonly #connection: Connection
  readonly #options: DeliveryOptions
  readonly #pause: Pause
  /** Records ready to be sent, oldest first. */
  readonly #waiting: PendingRecord[] = []
  /** Records that may have caused a failure of the service: they wait behind all others, which may be fine. */
  readonly #suspect: PendingRecord[] = []
  readonly #inFlight = new Set<PendingRecord>()
  readonly #bySubject = new KeyedQueue<PendingRecord>()
  readonly #flushes = new Set<Flush>()
  readonly #dropped = Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<
    DropReason,
    number
  >
  readonly #encoder = new TextEncoder()
  #addedCount = 0
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

  /** Adds a record. Calls `settle` once: with the service's response, or with undefined if the record is dropped. */
  add(path: string, json: string, settle: (answer: unknown) => void, subject?: string): void {
    const body = this.#encoder.encode(json)
    const reason = this.#findRejection(body)
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
      createdAtMs: Date.now(),
      number: ++this.#addedCount,
      subject,
      settle,
    }
    if (this.#bySubject.add(record)) this.#waiting.push(record)
    this.#stopListening ??= onLeaving({ exit: () => this.#flushOnExit(), hide: () => this.#sendWaiting() })
    if (this.#waiting.length >= batchRecords) this.#sendWaiting()
    else this.#schedule(this.#options.batchDelayMs)
  }

  /** Counts a loss and reports it. */
  drop(reason: DropReason, sentence: string, cause?: unknown): void {
    this.#dropped[reason]++
    this.#options.onError(new RecordDropped(reason, sentence, cause === undefined ? {} : { cause }))
  }

  /** Resolves when every record added before is delivered or dropped, or after the timeout; never rejects. */
  async flush(timeoutMs: number): Promise<DeliveryStats> {
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        const flush: Flush = {
          lastNumber: this.#addedCount,
          remaining: this.#pending,
          done: () => {
            clearTimeout(timer)
            this.#flushes.delete(flush)
            resolve()
          },
        }
        // Not a quiet timer: the process must stay alive until the flush ends.
        const timer = setTimeout(flush.done, timeoutMs)
        this.#flushes.add(flush)
        this.#pause.skipBackoff()
        this.#sendWaiting()
      })
    }
    return this.stats
  }

  /** Flushes, drops whatever is left, and accepts no further records. */
  async close(timeoutMs: number): Promise<DeliveryStats> {
    await this.flush(timeoutMs)
    this.#isClosed = true
    this.#dropPending()
    return this.stats
  }

  get #pending(): number {
    return this.#waiting.length + this.#suspect.length + this.#inFlight.size + this.#bySubject.waitingCount
  }

  #findRejection(body: Uint8Array): [DropReason, string] | undefined {
    const { recordsMax, bytesMax } = this.#options
    if (this.#isClosed) return ['closed', 'The client was closed before this record was added.']
    if (body.length > bodyBytesMax)
      return ['too_large', `A record has ${body.length} bytes; the limit is 16 MiB.`]
    if (this.#pending >= recordsMax) return ['buffer_full', `${recordsMax} records are already waiting.`]
    if (this.#bytes + body.length > bytesMax) return ['buffer_full', `${bytesMax} bytes are already waiting.`]
    return undefined
  }

  /** Schedules sending within `delayMs`, unless it is already scheduled. */
  #schedule(delayMs: number): void {
    this.#stopTimer ??= quietTimer(() => this.#sendWaiting(), Math.max(delayMs, this.#pause.remainingMs()))
  }

  /** Sends waiting records, as far as the pause and the concurrency allow. */
  #sendWaiting(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const { concurrency } = this.#options
    while (this.#waiting.length + this.#suspect.length > 0) {
      if (this.#pause.remainingMs() > 0) {
        this.#schedule(0)
        return
      }
      if (this.#inFlight.size >= (this.#pause.isHalfOpen ? 1 : concurrency)) return
      const record = (this.#waiting.shift() ?? this.#suspect.shift()) as PendingRecord
      if (Date.now() - record.createdAtMs > ageMsMax) {
        this.#settle(record, undefined)
        this.drop('expired', 'A record could not be delivered for 23 hours.')
      } else {
        void this.#send(record)
      }
    }
  }

  async #send(record: PendingRecord): Promise<void> {
    this.#inFlight.add(record)
    const outage = this.#pause.outage
    const keepalive = isHidden() && record.body.length <= keepaliveBytesMax
    const result = await sendOnce(this.#connection, record, keepalive)
    // Dropped in the meantime.
    if (!this.#inFlight.delete(record)) return
    switch (result.type) {
      case 'accepted':
        this.#pause.recordSuccess()
        this.#delivered++
        this.#settle(record, result.answer)
        break
      case 'rejected':
        this.#pause.recordSuccess()
        this.#settle(record, undefined)
        this.drop('refused', `A record was rejected: ${result.error.message}`, result.error)
        break
      case 'failed':
        this.#retried++
        if (result.isSuspect) this.#suspect.push(record)
        else this.#waiting.unshift(record)
        if (this.#pause.recordFailure(outage, result.retryAfterSeconds) === 'outage')
          this.#options.onError(result.error)
    }
    this.#sendWaiting()
  }

  #settle(record: PendingRecord, answer: unknown): void {
    this.#bytes -= record.body.length
    const next = this.#bySubject.finish(record)
    if (next !== undefined) this.#waiting.unshift(next)
    record.settle(answer)
    for (const flush of [...this.#flushes]) {
      if (record.number <= flush.lastNumber && --flush.remaining === 0) flush.done()
    }
    if (this.#pending > 0) return
    this.#stopListening?.()
    this.#stopListening = undefined
  }

  /** `beforeExit` fires again after the flush, when nothing is left. */
  #flushOnExit(): void {
    void this.flush(exitFlushMs).then(() => this.#dropPending())
  }

  #dropPending(): void {
    this.#stopTimer?.()
    const abandoned = [
      ...this.#inFlight,
      ...this.#waiting.splice(0),
      ...this.#suspect.splice(0),
      ...this.#bySubject.clear(),
    ]
    this.#inFlight.clear()
    for (const record of abandoned) {
      this.#settle(record, undefined)
      this.drop('closed', 'A record could not be delivered before the client closed.')
    }
  }
}
