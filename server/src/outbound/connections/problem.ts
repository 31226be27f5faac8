const lengthMax = 500

/** The message of a provider's or network error, truncated. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, lengthMax)
  // The cause has the reason of a failed request: "fetch failed" helps nobody.
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? `${error.statusCode} ` : ''
  return `${status}${error.message}${cause}`.slice(0, lengthMax)
}
