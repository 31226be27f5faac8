import { ClickHouseError } from '@clickhouse/client'

/** The engine cannot be reached or cannot work now: the same call can succeed later. */
export class TraceStoreAway extends Error {
  override name = 'TraceStoreAway'
  /** The engine's own code, if it was the engine that failed. */
  get code(): string | undefined {
    return this.cause instanceof ClickHouseError ? this.cause.code : undefined
  }
}

/** The engine read the rows and will never take one of them. */
export class RowsRefused extends Error {
  override name = 'RowsRefused'
}

/** An answer of an engine, with its failures told apart. */
export async function answeredWith<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw toldApart(cause)
  }
}

/**
 * The engine's codes for rows it cannot read, or whose values do not fit their columns. Whatever is not listed is
 * taken for a state that passes: a batch tried again costs little, a batch given up is lost.
 */
const refusals: ReadonlySet<string> = new Set([
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

/** Statements that are wrong on every try: a mistake of ours, not of the engine's state. */
const mistakes: ReadonlySet<string> = new Set(['42', '43', '46', '47', '62', '386', '456', '457'])

function toldApart(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof ClickHouseError) {
    if (refusals.has(cause.code)) return new RowsRefused(message, { cause })
    if (mistakes.has(cause.code)) return cause
  }
  return new TraceStoreAway(message, { cause })
}
