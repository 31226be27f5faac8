/** Reads Server-Sent Events from pieces of any size. Pure. */

/** Whole events from pieces of a stream; an incomplete one waits for the next piece. */
export function makeEventReader(): (piece: string) => readonly unknown[] {
  let rest = ''
  return (piece) => {
    const parts = (rest + piece).split(/\r?\n\r?\n/)
    rest = parts.pop() ?? ''
    return parts.flatMap((part) => {
      const data = part
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      return data.length === 0 ? [] : [JSON.parse(data.join('\n')) as unknown]
    })
  }
}
