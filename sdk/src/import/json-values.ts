/**
 * Reads the records of a JSON file of any size: the elements of a list, lines, or consecutive objects. A list that an API
 * response wraps in an object is unwrapped.
 */
const envelope =
  /^\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null)\s*,\s*)*"(?:data|runs|content)"\s*:\s*$/

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

export async function* readJsonValues(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let value = ''
  let depth = 0
  /** Depth of the list whose elements are the records; 0 outside of it. */
  let listDepth = 0
  /** After the list, the rest of an envelope is metadata, and not a record. */
  let isPastList = false
  let isInText = false
  let isEscaped = false
  for await (const piece of pieces) {
    let from = 0
    const take = (end: number): string => {
      const whole = value + piece.slice(from, end)
      value = ''
      from = end
      return whole
    }
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index)
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (code === backslash) isEscaped = true
        else if (code === quote) isInText = false
      } else if (code === quote) isInText = true
      else if (code === openBrace || code === openBracket) {
        depth++
        const isList =
          code === openBracket &&
          listDepth === 0 &&
          !isPastList &&
          (depth === 1 || (depth === 2 && envelope.test(value + piece.slice(from, index))))
        if (!isList) continue
        take(index + 1)
        listDepth = depth
      } else if (code === closeBrace || code === closeBracket) {
        depth--
        if (listDepth > 0 && depth === listDepth - 1) {
          const last = take(index)
          if (last.trim() !== '') yield last
          from = index + 1
          listDepth = 0
          isPastList = depth > 0
        } else if (depth === 0) {
          const record = take(index + 1)
          if (!isPastList) yield record
          isPastList = false
        }
      } else if (code === comma && listDepth > 0 && depth === listDepth) {
        yield take(index)
        from = index + 1
      } else if (code === newline && depth === 0) {
        // Neither a list nor an object: the whole line is one value, and the next line starts anew.
        const line = take(index + 1)
        if (line.trim() !== '') yield line
      }
    }
    value += piece.slice(from)
  }
  if (depth !== 0 || isInText) throw new SyntaxError('the file ends within a value: it was cut off')
  if (value.replace(/^\ufeff/, '').trim() !== '') throw new SyntaxError('the file has text that is no JSON')
}
