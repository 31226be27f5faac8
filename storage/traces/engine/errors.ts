import { ClickHouseError } from '@clickhouse/client'

/**
 * Why a statement failed: `away`, the engine cannot be reached or cannot work now; `damaged`, it read bytes that were
 * corrupted on disk; `too slow` and `too large`, the statement took more time or memory than it may; `no space`, its
 * disk is full.
 */
export type UnavailableReason = 'away' | 'damaged' | 'too slow' | 'too large' | 'no space'

/** The engine could not run a statement, for a reason unrelated to its rows: the same call may succeed later. */
export class TraceStoreUnavailable extends Error {
  override name = 'TraceStoreUnavailable'
  readonly reason: UnavailableReason
  /** The number of the affected shard, from 1; undefined for a store without shards. */
  shard: number | undefined

  constructor(message: string, options?: ErrorOptions & { readonly reason?: UnavailableReason }) {
    super(message, options)
    this.reason = options?.reason ?? 'away'
  }

  /** The engine's error code, if the engine failed. */
  get code(): string | undefined {
    return this.cause instanceof ClickHouseError ? this.cause.code : undefined
  }
}

/** The service may not use this store with its current settings; the message says why. */
export class TraceStoreRefused extends Error {
  override name = 'TraceStoreRefused'
}

/** The engine rejects one of the rows permanently. */
export class RowsRejected extends Error {
  override name = 'RowsRejected'
}

/** Awaits a result of the engine and classifies its failures. */
export async function mapErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (cause) {
    throw classifyError(cause)
  }
}

/**
 * The engine's codes for rows it cannot parse, or whose values do not fit their columns. All other errors count as
 * temporary: retrying a batch is cheap, and dropping one loses data.
 */
const rejections: ReadonlySet<string> = new Set([
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '33', // CANNOT_READ_ALL_DATA
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '128', // TOO_LARGE_ARRAY_SIZE
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '190', // SIZES_OF_ARRAYS_DONT_MATCH
  '306', // TOO_DEEP_RECURSION
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '376', // CANNOT_PARSE_UUID
  '467', // CANNOT_PARSE_BOOL
])

/** Statements that fail on every attempt: a bug of ours, not a state of the engine. */
const mistakes: ReadonlySet<string> = new Set(['42', '43', '46', '47', '62', '386', '456', '457'])

/** The engine's codes for a missing column or table: a newer version may have removed it. */
const missing: ReadonlySet<string> = new Set(['8', '10', '16', '60'])

/** Whether changed tables may have caused a failed insert, rather than its rows or an unreachable engine. */
export const mayBeNewer = (error: unknown): boolean =>
  error instanceof RowsRejected ||
  (error instanceof TraceStoreUnavailable && error.code !== undefined && missing.has(error.code))

/** The engine's codes for corrupted bytes of a part. */
const damages: ReadonlySet<string> = new Set([
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '39', // TOO_LARGE_SIZE_COMPRESSED
  '40', // CHECKSUM_DOESNT_MATCH
  '107', // FILE_DOESNT_EXIST
  '226', // NO_FILE_IN_DATA_PART
  '228', // BAD_SIZE_OF_FILE_IN_DATA_PART
  '246', // CORRUPTED_DATA
  '271', // CANNOT_DECOMPRESS
  '432', // UNKNOWN_CODEC
])

const reasons: ReadonlyMap<string, UnavailableReason> = new Map([
  ...[...damages].map((code) => [code, 'damaged'] as const),
  ['159', 'too slow'], // TIMEOUT_EXCEEDED
  ['160', 'too slow'], // TOO_SLOW
  ['241', 'too large'], // MEMORY_LIMIT_EXCEEDED
  ['396', 'too large'], // TOO_MANY_ROWS_OR_BYTES
  ['243', 'no space'], // NOT_ENOUGH_SPACE
])

/** The text that the engine adds to an error that occurs while it reads a part. */
const whileReading = /[Ww]hile reading (?:or decompressing|from part) /

function classifyError(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/no space left on device/i.test(message))
    return new TraceStoreUnavailable(message, { cause, reason: 'no space' })
  if (!(cause instanceof ClickHouseError)) return new TraceStoreUnavailable(message, { cause })
  const reason = reasons.get(cause.code)
  if (reason !== undefined) return new TraceStoreUnavailable(message, { cause, reason })
  // Damaged bytes can raise almost any error code. An error while a part is read is never about the rows we sent.
  if (whileReading.test(message)) return new TraceStoreUnavailable(message, { cause, reason: 'damaged' })
  if (rejections.has(cause.code)) return new RowsRejected(message, { cause })
  if (mistakes.has(cause.code)) return cause
  return new TraceStoreUnavailable(message, { cause })
}

/** A newer version of the service has migrated this trace store: this one must not write to it. */
export class TraceStoreNewer extends Error {
  override name = 'TraceStoreNewer'
}
