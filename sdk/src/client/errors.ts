/** The service rejected a request or failed; the message is the error message of the service. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number
  /** Seconds to wait before a retry, if the response says so. */
  readonly retryAfterSeconds: number | undefined
  /** Quote it to the operators of the service: their logs contain the same id. */
  readonly requestId: string | undefined
  /** False if something else, such as a proxy, sent the response. */
  readonly isFromService: boolean

  constructor(
    status: number,
    sentence: string | undefined,
    {
      retryAfterSeconds,
      requestId,
    }: { readonly retryAfterSeconds?: number | undefined; readonly requestId?: string | undefined } = {},
  ) {
    super(sentence ?? `The service responded with ${status}.`)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
    this.isFromService = sentence !== undefined
  }
}

/** No response: the connection failed or timed out. `cause` has the platform's error. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}

/**
 * Why something was not recorded.
 * - `buffer_full`: the limit of waiting records or bytes was reached.
 * - `too_large`: the service accepts traces up to 16 MiB; a log that exceeds the limit is dropped.
 * - `refused`: the service rejected it for a reason that a retry cannot fix.
 * - `expired`: it waited for 23 hours; sent later, it could be stored twice.
 * - `late`: a log was started or changed after its trace had ended.
 * - `closed`: the client was closed, or the process ended, before it could be delivered.
 */
export type DropReason = (typeof dropReasons)[number]
export const dropReasons = ['buffer_full', 'too_large', 'refused', 'expired', 'late', 'closed'] as const

/** Passed to `onError` for each dropped record or log. */
export class RecordDropped extends Error {
  override readonly name = 'RecordDropped'
  readonly reason: DropReason

  constructor(reason: DropReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.reason = reason
  }
}
