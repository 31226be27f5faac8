/** The gRPC status codes that the service sends, under their names in the specification. */
export const grpcStatus = {
  ok: 0,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus]

interface StatusOptions extends ErrorOptions {
  /** The status as `google.rpc.Status`, which may contain more than a code and a message. */
  readonly details?: Buffer | undefined
}

/** Ends a call with a status other than OK; the message is sent to the client. */
export class StatusError extends Error {
  readonly status: GrpcStatus
  readonly details: Buffer | undefined

  constructor(status: GrpcStatus, message: string, options: StatusOptions = {}) {
    super(message, options)
    this.status = status
    this.details = options.details
  }
}
