/** The preview of a value in a row, from the start of its JSON text. Pure. */
import { plainMarkdown } from './plain-markdown.ts'

/** The text itself, the last message in the excerpt, or the fields of an object; never raw JSON. */
export function previewText(json: string | null): string {
  if (json === null || json === 'null') return ''
  if (json.startsWith('"')) return plainMarkdown(unescapeJson(json.slice(1)))
  if (!/"role"\s*:/.test(json)) return saidText(json) ?? fieldTexts(json)
  const lastText = [...json.matchAll(/"(?:content|text)"\s*:\s*"((?:\\[\s\S]|[^"\\])*)/g)].at(-1)?.[1]
  if (lastText !== undefined && lastText !== '') return plainMarkdown(unescapeJson(lastText))
  return fieldTexts(json)
}

const signs: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: ' ', b: '', f: '' }

/** Without the closing quote and unescaped; a truncated escape is dropped. */
const unescapeJson = (text: string): string =>
  text
    .replace(/(?<!\\)((?:\\\\)*)"$/, '$1')
    .replace(/\\u([0-9a-f]{4})|\\u[0-9a-f]{0,3}$|\\(.)|\\$/gi, (_, code?: string, sign?: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return sign === undefined ? '' : (signs[sign] ?? sign)
    })

/** The field of an object with human-readable text. */
function saidText(json: string): string | undefined {
  const [, text] =
    /^\{[^{[]*?"(?:question|query|message|prompt|answer|response)"\s*:\s*"((?:\\[\s\S]|[^"\\])+)/.exec(
      json,
    ) ?? []
  return text === undefined ? undefined : plainMarkdown(unescapeJson(text))
}

const tokens = /"((?:\\[\s\S]|[^"\\])*)(?:"(\s*:)?|$)|[^\s"{}[\],:]+|[{}[\],]/g

/** `company: Paper & Co · lines: 3`: the values with their field names, from a possibly truncated text. */
function fieldTexts(json: string): string {
  const texts: string[] = []
  let name = ''
  for (const [token, text, colon] of json.matchAll(tokens)) {
    if (colon !== undefined) name = unescapeJson(text ?? '')
    else if (/^[{}[\],]$/.test(token)) continue
    else {
      const value = text === undefined ? token : plainMarkdown(unescapeJson(text))
      // In a list, the name precedes only the first value.
      if (value !== 'null' && value !== '') texts.push(name === '' ? value : `${name}: ${value}`)
      name = ''
    }
  }
  return texts.join(' · ')
}
