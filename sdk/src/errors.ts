/** The service refused a request, or failed at it; the message is the sentence that it answered. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number
  /** Seconds after which another try makes sense, where the answer says so. */
  readonly retryAfterSeconds: number | undefined
  /** What to tell the people who run the service: its diagnostics have the same id. */
  readonly requestId: string | undefined
  /** False where something between here and the service answered in its own words. */
  readonly isFromService: boolean

  constructor(
    status: number,
    sentence: string | undefined,
    {
      retryAfterSeconds,
      requestId,
    }: { readonly retryAfterSeconds?: number | undefined; readonly requestId?: string | undefined } = {},
  ) {
    super(sentence ?? `The service answered ${status}.`)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
    this.isFromService = sentence !== undefined
  }
}

/** No answer came: the connection failed or broke, or the time was up. `cause` has the platform's own error. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}

/**
 * Why something was not recorded.
 * - `buffer_full`: it came while as many records, or bytes, were waiting as may wait.
 * - `too_large`: the service takes no trace of more than 16 MiB; a log that would make it larger is left out.
 * - `refused`: the service will not take it, however often it is sent.
 * - `expired`: it waited for 23 hours, and might be stored twice if it were sent later.
 * - `late`: a log was begun or changed after its trace had ended.
 * - `closed`: the client was closed, or the process ended, before it could be delivered.
 */
export type DropReason = (typeof dropReasons)[number]
export const dropReasons = ['buffer_full', 'too_large', 'refused', 'expired', 'late', 'closed'] as const

/** Told to `onError` of each record, or single log, that is lost. */
export class RecordDropped extends Error {
  override readonly name = 'RecordDropped'
  readonly reason: DropReason

  constructor(reason: DropReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.reason = reason
  }
}
