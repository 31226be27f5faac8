/** How much text is buffered before it is sent. */
const pieceLength = 64 * 1024

/** The same text in fewer chunks: a write to a socket costs more than a line is worth. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
