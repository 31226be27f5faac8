/** Whether a text is about the subject of an erasure. */

export interface SubjectTexts {
  /** A JSON text that has the id as a whole value. */
  isValueIn(json: string): boolean
  /** Any text that has the id as a word; also with the escapes of JSON, or as part of an address. */
  isWordIn(text: string): boolean
}

export function makeSubjectTexts(ids: readonly string[]): SubjectTexts {
  const subjectForms = ids.map(formsOf)
  const forms = new Set(
    subjectForms.flatMap(({ id, escaped, ascii }) => [
      id,
      escaped.slice(1, -1),
      ascii.slice(1, -1),
      encodeURIComponent(id),
    ]),
  )
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${[...forms].map((form) => escapeForm(form)).join('|')})(?![\\p{L}\\p{N}_-])`,
    'u',
  )
  return {
    isValueIn: (json) =>
      subjectForms.some(
        ({ id, escaped, ascii }) => json === id || json.includes(escaped) || json.includes(ascii),
      ),
    isWordIn: (text) => word.test(text),
  }
}

function formsOf(id: string) {
  const escaped = JSON.stringify(id)
  // Some clients write every other character as an escape.
  const ascii = escaped.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${hex4(character)}`)
  return { id, escaped, ascii }
}

const escapeForm = (form: string): string => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const hex4 = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
