/** Streams the rows of a JSON document of any size: its top-level list, or its first list called `rows`. */
export async function* readJsonRows(
  pieces: AsyncIterable<string>,
  onRest: (text: string) => void = () => {},
): AsyncGenerator<string> {
  let rest = ''
  let row = ''
  let depth = 0
  let rowsDepth = -1
  let isOver = false
  let isInText = false
  let isEscaped = false
  for await (const piece of pieces) {
    let from = 0
    const keep = (end: number): void => {
      if (rowsDepth >= 0) row += piece.slice(from, end)
      else rest += piece.slice(from, end)
      from = end
    }
    for (let index = 0; index < piece.length; index++) {
      const character = piece[index]!
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isInText = false
      } else if (character === '"') isInText = true
      else if (character === '{' || character === '[') {
        depth++
        if (character !== '[' || isOver || rowsDepth >= 0) continue
        keep(index)
        if (depth > 1 && !/"rows"\s*:\s*$/.test(rest.slice(-100))) continue
        keep(index + 1)
        rowsDepth = depth
      } else if (character === '}' || character === ']') {
        if (depth === rowsDepth) {
          keep(index)
          if (row.trim() !== '') yield row
          row = ''
          rowsDepth = -1
          isOver = true
        }
        depth--
      } else if (character === ',' && depth === rowsDepth) {
        keep(index)
        yield row
        row = ''
        from = index + 1
      }
    }
    keep(piece.length)
  }
  if (rowsDepth >= 0) throw new SyntaxError('the document ends within its rows')
  // The text around the rows must be valid JSON; otherwise the document was truncated.
  JSON.parse(rest)
  if (!isOver) throw new SyntaxError('the document has no list of rows')
  onRest(rest)
}
