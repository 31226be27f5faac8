/** Whether a text is about the subject of an erasure. */

export interface SubjectTexts {
  /** A JSON text that has the id as a whole value. */
  isValueIn(json: string): boolean
  /** Any text that has the id as a word; also with the escapes of JSON, or as part of an address. */
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
 * JSON as `JSON.stringify` writes it: what arrived is as its client wrote it, and some clients escape every character
 * that is not ASCII, in digits of either case, or marks such as `+` and `/`.
 */
const withoutNeedlessEscapes = (json: string): string =>
  json.replaceAll(/\\(?:u([\da-f]{4})|\/)/gi, (match, code?: string) => {
    if (code === undefined) return '/'
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /["\\\p{Cc}]/u.test(character) ? match : character
  })

/** An address without percent-encoding: the digits of `%22` before an id would make another word of it. */
const decodeAddress = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )

const escapeForm = (form: string): string => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
