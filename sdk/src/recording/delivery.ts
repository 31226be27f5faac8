/**
 * Delivers finished records to the service in the background. The application sees only counts and the errors passed to
 * `onError`: nothing here throws into it or makes it wait for the network.
 *
 * Spans are sent in batches, and the service deduplicates them. Scores keep one Idempotency-Key across all attempts, so
 * neither is stored twice. After a failure, delivery pauses with exponential backoff, and a single request probes the
 * service before the others follow. Requests are sent concurrently; only records with the same subject are sent in order,
 * since the last one wins, and a score waits for earlier spans of its trace.
 *
 * In workers, everything that a request to the application has started ends with it: its timers never fire, and its fetches
 * never settle. So each flush sends on its own and waits for what it has sent, and requests without an outcome are given up.
 */
import { paths } from '@plumbline/contract/paths'
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
  /** How long to collect spans before sending them, in milliseconds. */
  readonly batchDelayMs: number
  /** After how many milliseconds a trace that is still running is sent, so that it can be watched. */
  readonly runningDelayMs: number
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

/** A record waiting for delivery. */
export interface PendingRecord {
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly key: string
  readonly createdAtMs: number
  /** Sequence number among all records of the client. */
  readonly number: number
  /** Records with the same subject are delivered in order. */
  readonly subject: string | undefined
  /** The trace of a span, or the trace whose spans must be sent before a score. */
  readonly traceId: string | undefined
  readonly settle: (isStored: boolean) => void
}

const spansPath = 'POST /v1/traces'
/** Limits of one request; this many spans are sent without further delay. */
const batchSpans = 500
const batchBytes = 2 ** 20
/** The service's limit for a body. */
const bodyBytesMax = 16 * 2 ** 20
/** The service remembers a key for 24 hours. */
const ageMsMax = 23 * 3_600_000
/** How long delivery may delay the exit of a process. */
const exitFlushMs = 5_000
/** The size limit of browsers for requests that outlive a page. */
const keepaliveBytesMax = 60_000

/** How long after its timeout a request is given up, since its timer did not fire and never will. */
const overdueMs = 5_000

/** A pending flush of all records added before it. */
interface Flush {
  readonly lastNumber: number
  remaining: number
  /** Makes the flush check again what is left. */
  wake: () => void
}

export class Delivery {
  readonly #connection: Connection
  readonly #options: DeliveryOptions
  readonly #pause: Pause
  /** Records ready to be sent, oldest first. */
  readonly #waiting: PendingRecord[] = []
  /** Records that may have made the service fail: they are sent after all others. */
  readonly #suspect: PendingRecord[] = []
  /** Records in flight, with the request that carries them. */
  readonly #inFlight = new Map<PendingRecord, AbortController>()
  /** Requests without an outcome so far, with their start times. */
  readonly #requests = new Map<AbortController, number>()
  /** The number of pending spans per trace, and the scores that wait for them. */
  readonly #spanCounts = new Map<string, number>()
  readonly #waitingForSpans = new Map<string, PendingRecord[]>()
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

  /** Adds a span. Calls `settle` once, with whether the service stored it. */
  addSpan(json: string, traceId: string, settle: (isStored: boolean) => void = () => {}): void {
    const record = this.#makeRecord(spansPath, json, { traceId, settle })
    if (record === undefined) return
    this.#spanCounts.set(traceId, (this.#spanCounts.get(traceId) ?? 0) + 1)
    this.#waiting.push(record)
    this.#schedule(this.#options.batchDelayMs)
    if (this.#waiting.length >= batchSpans) this.#sendWaiting()
  }

  /** Adds a score of a trace. */
  addScore(json: string, traceId: string | undefined, subject?: string): void {
    const record = this.#makeRecord(paths.scores.create, json, { traceId, subject, settle: () => {} })
    if (record === undefined || !this.#bySubject.add(record)) return
    this.#admit(record)
    this.#schedule(this.#options.batchDelayMs)
  }

  #makeRecord(
    path: string,
    json: string,
    rest: Pick<PendingRecord, 'traceId' | 'settle'> & { readonly subject?: string | undefined },
  ): PendingRecord | undefined {
    const body = this.#encoder.encode(json)
    const reason = this.#findRejection(body)
    if (reason !== undefined) {
      rest.settle(false)
      this.drop(...reason)
      return undefined
    }
    this.#bytes += body.length
    this.#stopListening ??= onLeaving({ exit: () => this.#flushOnExit(), hide: () => this.#sendWaiting() })
    const number = ++this.#addedCount
    return {
      path,
      body,
      key: crypto.randomUUID(),
      createdAtMs: Date.now(),
      number,
      subject: undefined,
      ...rest,
    }
  }

  /** Queues a score, or makes it wait for the spans of its trace. */
  #admit(record: PendingRecord): void {
    const { traceId } = record
    if (traceId === undefined || !this.#spanCounts.has(traceId)) this.#waiting.push(record)
    else this.#waitingForSpans.set(traceId, [...(this.#waitingForSpans.get(traceId) ?? []), record])
  }

  /** Counts a loss and reports it. */
  drop(reason: DropReason, sentence: string, cause?: unknown, count = 1): void {
    this.#dropped[reason] += count
    this.#options.onError(new RecordDropped(reason, sentence, cause === undefined ? {} : { cause }))
  }

  /** Resolves when every record added before is delivered or dropped, or after the timeout; never rejects. */
  async flush(timeoutMs: number): Promise<DeliveryStats> {
    const flush: Flush = { lastNumber: this.#addedCount, remaining: this.#pending, wake: () => {} }
    if (flush.remaining === 0) return this.stats
    const requests = new Set<Promise<void>>()
    let isOver = false
    // Not a quiet timer: the process must stay alive until the flush ends.
    const timer = setTimeout(() => {
      isOver = true
      flush.wake()
    }, timeoutMs)
    this.#flushes.add(flush)
    this.#pause.skipBackoff()
    while (!isOver && flush.remaining + requests.size > 0) {
      const woken = new Promise<void>((resolve) => {
        flush.wake = resolve
      })
      if (flush.remaining > 0)
        for (const request of this.#sendWaiting()) {
          requests.add(request)
          void request.then(() => {
            requests.delete(request)
            flush.wake()
          })
        }
      await woken
    }
    clearTimeout(timer)
    this.#flushes.delete(flush)
    this.#sendOn()
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
    const waitingCounts = Array.from(this.#waitingForSpans.values(), (records) => records.length)
    return (
      this.#waiting.length +
      this.#suspect.length +
      this.#inFlight.size +
      this.#bySubject.waitingCount +
      waitingCounts.reduce((sum, count) => sum + count, 0)
    )
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

  /** Lets pending flushes send what is waiting, or else a timer: in workers, the request that sent last may be over. */
  #sendOn(): void {
    for (const flush of this.#flushes) flush.wake()
    if (this.#flushes.size > 0 || this.#waiting.length + this.#suspect.length === 0) return
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#schedule(0)
  }

  /** Sends waiting records, as far as the pause and the concurrency allow; returns the requests. */
  #sendWaiting(): Promise<void>[] {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#giveUpOverdue()
    const { concurrency } = this.#options
    const requests: Promise<void>[] = []
    while (this.#waiting.length + this.#suspect.length > 0) {
      if (this.#pause.remainingMs() > 0) {
        this.#schedule(0)
        return requests
      }
      // At least one, or nothing would ever be sent.
      const requestsMax = !this.#pause.isHalfOpen && concurrency >= 1 ? concurrency : 1
      if (this.#requests.size >= requestsMax) return requests
      requests.push(this.#send(this.#takeBatch()))
    }
    return requests
  }

  /** Requeues the records of overdue requests: the service deduplicates those that it has stored. */
  #giveUpOverdue(): void {
    const overdueSince = performance.now() - this.#connection.timeoutMs - overdueMs
    for (const [request, startedAt] of this.#requests) {
      if (startedAt > overdueSince) continue
      this.#requests.delete(request)
      for (const [record, carrier] of this.#inFlight) {
        if (carrier === request && this.#inFlight.delete(record)) this.#waiting.push(record)
      }
    }
  }

  /** One record, or as many spans as fit into one request. Suspect records are sent alone. */
  #takeBatch(): PendingRecord[] {
    if (this.#waiting.length === 0) return this.#suspect.splice(0, 1)
    const bytesMax = isHidden() ? keepaliveBytesMax : batchBytes
    let count = 0
    let bytes = 0
    for (const record of this.#waiting) {
      const isFull = count >= batchSpans || bytes + record.body.length > bytesMax
      if (count > 0 && (!isSpan(record) || isFull)) break
      count++
      bytes += record.body.length
      if (!isSpan(record)) break
    }
    return this.#waiting.splice(0, count)
  }

  async #send(batch: readonly PendingRecord[]): Promise<void> {
    const records = batch.filter((record) => !this.#hasExpired(record))
    const [first] = records
    if (first === undefined) return
    const request = new AbortController()
    this.#requests.set(request, performance.now())
    for (const record of records) this.#inFlight.set(record, request)
    const outage = this.#pause.outage
    const body = isSpan(first) ? encodeSpans(records) : first.body
    const keepalive = isHidden() && body.length <= keepaliveBytesMax
    const key = isSpan(first) ? undefined : first.key
    const { signal } = request
    const result = await sendOnce(this.#connection, { path: first.path, body, key }, { keepalive, signal })
    this.#requests.delete(request)
    // Other records have been dropped in the meantime, or moved to another request.
    const pending = records.filter((record) => this.#inFlight.get(record) === request)
    if (pending.length === 0) return
    for (const record of pending) this.#inFlight.delete(record)
    switch (result.type) {
      case 'accepted':
        this.#pause.recordSuccess()
        this.#accept(pending, result.answer)
        break
      case 'rejected':
        this.#pause.recordSuccess()
        // Only one of them may be at fault, so each is sent alone.
        if (pending.length > 1) this.#suspect.push(...pending)
        else this.#reject(pending, result.error.message, result.error)
        break
      case 'failed':
        this.#retried++
        if (result.isSuspect) this.#suspect.push(...pending)
        else this.#waiting.unshift(...pending)
        if (this.#pause.recordFailure(outage, result.retryAfterSeconds) === 'outage')
          this.#options.onError(result.error)
    }
    this.#sendOn()
  }

  #accept(records: readonly PendingRecord[], answer: object): void {
    const { partialSuccess = {} } = answer as { readonly partialSuccess?: PartialSuccess }
    const rejected = Number(partialSuccess.rejectedSpans ?? 0)
    const sentence = partialSuccess.errorMessage ?? ''
    if (rejected > 0 && records.length === 1) {
      this.#reject(records, sentence)
      return
    }
    this.#delivered += records.length - rejected
    if (rejected > 0)
      this.drop('refused', `${rejected} spans were rejected: ${sentence}`, undefined, rejected)
    else if (sentence !== '') this.#options.onError(new Error(sentence))
    for (const record of records) this.#settle(record, true)
  }

  #reject([record]: readonly PendingRecord[], sentence: string, cause?: unknown): void {
    this.#settle(record!, false)
    this.drop('refused', `A record was rejected: ${sentence}`, cause)
  }

  #hasExpired(record: PendingRecord): boolean {
    if (Date.now() - record.createdAtMs <= ageMsMax) return false
    this.#settle(record, false)
    this.drop('expired', 'A record could not be delivered for 23 hours.')
    return true
  }

  #settle(record: PendingRecord, isStored: boolean): void {
    this.#bytes -= record.body.length
    if (isSpan(record)) this.#countSpan(record.traceId!)
    const next = this.#bySubject.finish(record)
    if (next !== undefined) this.#waiting.unshift(next)
    record.settle(isStored)
    for (const flush of [...this.#flushes]) {
      if (record.number <= flush.lastNumber && --flush.remaining === 0) flush.wake()
    }
    if (this.#pending > 0) return
    this.#stopListening?.()
    this.#stopListening = undefined
  }

  /** Called when a span is no longer pending; after the last span of a trace, its scores follow. */
  #countSpan(traceId: string): void {
    const count = this.#spanCounts.get(traceId)! - 1
    if (count > 0) {
      this.#spanCounts.set(traceId, count)
      return
    }
    this.#spanCounts.delete(traceId)
    const scores = this.#waitingForSpans.get(traceId)
    if (scores === undefined) return
    this.#waitingForSpans.delete(traceId)
    this.#waiting.unshift(...scores)
  }

  /** `beforeExit` fires again after the flush, when nothing is left. */
  #flushOnExit(): void {
    void this.flush(exitFlushMs).then(() => this.#dropPending())
  }

  #dropPending(): void {
    this.#stopTimer?.()
    const abandoned = [
      ...this.#inFlight.keys(),
      ...this.#waiting.splice(0),
      ...this.#suspect.splice(0),
      ...Array.from(this.#waitingForSpans.values()).flat(),
      ...this.#bySubject.clear(),
    ]
    this.#waitingForSpans.clear()
    this.#inFlight.clear()
    // A request that is no longer awaited would keep the process alive until its timeout.
    for (const request of this.#requests.keys()) request.abort()
    for (const record of abandoned) {
      this.#settle(record, false)
      this.drop('closed', 'A record could not be delivered before the client closed.')
    }
  }
}

const isSpan = (record: PendingRecord): boolean => record.path === spansPath

interface PartialSuccess {
  readonly rejectedSpans?: number | string
  readonly errorMessage?: string
}

const encoder = new TextEncoder()
const exportStart = encoder.encode(
  '{"resourceSpans":[{"resource":{"attributes":[{"key":"telemetry.sdk.name","value":{"stringValue":"plumbline"}},{"key":"telemetry.sdk.language","value":{"stringValue":"nodejs"}}]},"scopeSpans":[{"scope":{"name":"@plumbline/sdk"},"spans":[',
)
const exportEnd = encoder.encode(']}]}]}')
const comma = encoder.encode(',')

/** An OpenTelemetry export request with these spans. */
function encodeSpans(records: readonly PendingRecord[]): Uint8Array<ArrayBuffer> {
  const parts = [
    exportStart,
    ...records.flatMap(({ body }, index) => (index === 0 ? [body] : [comma, body])),
    exportEnd,
  ]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
