/** Whether a text is about the subject of an erasure. */

export interface SubjectTexts {
  /** Whether a JSON text has the id as a complete value. */
  isValueIn(json: string): boolean
  /** Whether a text has the id as a word, possibly with JSON escapes or as part of a URL. */
  isWordIn(text: string): boolean
}

export function makeSubjectTexts(ids: readonly string[]): SubjectTexts {
  const quotedForms = ids.map((id) => JSON.stringify(id))
  const forms = new Set([...ids, ...quotedForms.map((form) => form.slice(1, -1))])
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${[...forms].map((form) => escapeForm(form)).join('|')})(?![\\p{L}\\p{N}_-])`,
    'u',
  )
  const hasValue = (json: string): boolean => quotedForms.some((form) => json.includes(form))
  return {
    isValueIn: (json) => ids.includes(json) || hasValue(json) || hasValue(withoutNeedlessEscapes(json)),
    isWordIn: (text) => {
      const plain = withoutNeedlessEscapes(text)
      const decoded = decodeAddress(plain)
      return [text, plain, decoded, decoded.replaceAll('+', ' ')].some((form) => word.test(form))
    },
  }
}

/**
 * JSON as `JSON.stringify` writes it. Stored JSON is as the client wrote it, and some clients escape all non-ASCII
 * characters, with hex digits of either case, or characters such as `+` and `/`.
 */
const withoutNeedlessEscapes = (json: string): string =>
  json.replaceAll(/\\(?:u([\da-f]{4})|\/)/gi, (match, code?: string) => {
    if (code === undefined) return '/'
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /["\\\p{Cc}]/u.test(character) ? match : character
  })

/** A URL without percent-encoding: the digits of `%22` before an id would join with it into another word. */
const decodeAddress = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )

const escapeForm = (form: string): string => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
