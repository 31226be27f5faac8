const lengthMax = 500

/** The message of a provider or network error, truncated. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return messageIn(error).slice(0, lengthMax)
  // "fetch failed" alone does not help; the cause has the reason. Some clients already include it in their message.
  const { cause } = error
  const reason = cause instanceof Error && !error.message.includes(cause.message) ? `: ${cause.message}` : ''
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? `${error.statusCode} ` : ''
  return `${status}${error.message}${reason}`.slice(0, lengthMax)
}

/** A provider's error within a stream is an object, with its message in one of two places. */
function messageIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { message, error } = value as { readonly message?: unknown; readonly error?: unknown }
  if (typeof message === 'string' && message !== '') return message
  return error === undefined ? JSON.stringify(value) : messageIn(error)
}
