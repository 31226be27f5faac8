/** The message of an error that was recorded in any form. Pure. */

/** Where common libraries put the error message, the most informative first. */
const messageKeys = ['message', 'error', 'detail', 'description', 'reason', 'type', 'name', 'code']
const charactersMax = 300

/** The message in the first part of an error's JSON text; the text itself if it has none. */
export function errorMessage(json: string): string {
  const text = messageIn(parse(json)) ?? messageInText(json) ?? json
  return text.trim().slice(0, charactersMax)
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === true) return 'Failed without an error message.'
  if (Array.isArray(value)) return messageIn(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  // Safe: an object that is not an array has its fields by name.
  const fields = value as Readonly<Record<string, unknown>>
  const key = messageKeys.find((name) => messageIn(fields[name]) !== undefined)
  return key === undefined ? undefined : messageIn(fields[key])
}

/** For a truncated text, which is no longer valid JSON. */
function messageInText(json: string): string | undefined {
  const [, text] =
    /^"((?:\\[\s\S]|[^"\\])*)/.exec(json) ??
    /"(?:message|error|detail)"\s*:\s*"((?:\\[\s\S]|[^"\\])*)/.exec(json) ??
    []
  // The last escape may be truncated as well.
  return text === undefined
    ? undefined
    : String(parse(`"${text.replace(/\\u?[0-9a-f]{0,3}$/i, '')}"`) ?? text)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Truncated, or not JSON: read as text.
    return undefined
  }
}
