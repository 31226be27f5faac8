import { ClickHouseError } from '@clickhouse/client'

/** The engine is unreachable or unable to work for now: the same call may succeed later. */
export class TraceStoreUnavailable extends Error {
  override name = 'TraceStoreUnavailable'
  /** The engine's error code, if the engine failed. */
  get code(): string | undefined {
    return this.cause instanceof ClickHouseError ? this.cause.code : undefined
  }
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
 * temporary: retrying a batch costs little, and giving one up loses it.
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

function classifyError(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof ClickHouseError) {
    if (rejections.has(cause.code)) return new RowsRejected(message, { cause })
    if (mistakes.has(cause.code)) return cause
  }
  return new TraceStoreUnavailable(message, { cause })
}

/** A newer version of the service has migrated this trace store: this one must not write to it. */
export class TraceStoreNewer extends Error {
  override name = 'TraceStoreNewer'
}
