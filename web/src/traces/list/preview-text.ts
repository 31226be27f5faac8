/** How a value reads in a row, from the beginning of its JSON text. Pure. */

/** The text itself, or the last message that the beginning has; else the JSON as it is. */
export function previewText(json: string | null): string {
  if (json === null) return ''
  if (json.startsWith('"')) return unescaped(json.slice(1))
  const lastText = [...json.matchAll(/"(?:content|text)"\s*:\s*"((?:\\[\s\S]|[^"\\])*)/g)].at(-1)?.[1]
  return lastText === undefined || lastText === '' ? json : unescaped(lastText)
}

const signs: Readonly<Record<string, string>> = { n: ' ', r: ' ', t: ' ', b: '', f: '' }

/** Without the quote at the end and with what was escaped; an escape that is cut off is left out. */
const unescaped = (text: string): string =>
  text
    .replace(/(?<!\\)((?:\\\\)*)"$/, '$1')
    .replace(/\\u([0-9a-f]{4})|\\u[0-9a-f]{0,3}$|\\(.)|\\$/gi, (_, code?: string, sign?: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return sign === undefined ? '' : (signs[sign] ?? sign)
    })
