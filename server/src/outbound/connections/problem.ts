const lengthMax = 500

/** The message of a provider's or network error, truncated. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, lengthMax)
  // The cause has the reason of a failed request: "fetch failed" helps nobody.
  // Some clients have it in their own message already.
  const { cause } = error
  const reason = cause instanceof Error && !error.message.includes(cause.message) ? `: ${cause.message}` : ''
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? `${error.statusCode} ` : ''
  return `${status}${error.message}${reason}`.slice(0, lengthMax)
}
