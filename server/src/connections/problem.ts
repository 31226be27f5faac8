const lengthMax = 500

/** What a provider, or the way to it, says went wrong; a key that it repeats is not among it, as it is never sent on. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, lengthMax)
  // The reason of a failed request is what its cause says: "fetch failed" helps nobody.
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? `${error.statusCode} ` : ''
  return `${status}${error.message}${cause}`.slice(0, lengthMax)
}
