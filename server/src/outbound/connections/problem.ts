const lengthMax = 500

/** The message of a provider's or network error, truncated. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return messageIn(error).slice(0, lengthMax)
  // The cause has the reason of a failed request: "fetch failed" helps nobody.
  // Some clients have it in their own message already.
  const { cause } = error
  const reason = cause instanceof Error && !error.message.includes(cause.message) ? `: ${cause.message}` : ''
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? `${error.statusCode} ` : ''
  return `${status}${error.message}${reason}`.slice(0, lengthMax)
}

/** What a provider reports within a stream is an object, with its message at one of two places. */
function messageIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { message, error } = value as { readonly message?: unknown; readonly error?: unknown }
  if (typeof message === 'string' && message !== '') return message
  return error === undefined ? JSON.stringify(value) : messageIn(error)
}
