/** Decodes the text of a file: UTF-8, or UTF-16 with a byte order mark, as in Excel's "Unicode text". */

/** The type has different names in Node and in browsers. */
type Decoder = InstanceType<typeof TextDecoder>

/** The text is in an unsupported encoding, so that characters would be lost. */
export class EncodingError extends SyntaxError {}

/**
 * Rejects with an `EncodingError` for any other encoding. With `encoding`, text without a byte order mark is read in that
 * encoding, which files do not declare.
 */
export async function* decodeText(
  pieces: AsyncIterable<Uint8Array>,
  encoding?: 'windows-1252',
): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  let start: Uint8Array = new Uint8Array()
  for await (const piece of pieces) {
    if (decoder !== undefined) yield decode(decoder, piece)
    else {
      start = start.length === 0 ? piece : Uint8Array.from([...start, ...piece])
      if (start.length < 2) continue
      decoder = decoderOf(start, encoding)
      yield decode(decoder, start)
    }
  }
  if (decoder === undefined) {
    decoder = decoderOf(start, encoding)
    yield decode(decoder, start)
  }
  yield decode(decoder)
}

function decoderOf([first, second]: Uint8Array, other: string = 'utf-8'): Decoder {
  const isLittleEndian = first === 0xff && second === 0xfe
  const isBigEndian = first === 0xfe && second === 0xff
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : other
  return new TextDecoder(encoding, { fatal: true })
}

/** Decodes bytes; without bytes, ends the text. */
function decode(decoder: Decoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch (cause) {
    throw new EncodingError(
      'its text is not UTF-8; save it as “CSV UTF-8” in Excel, or with the encoding UTF-8',
      {
        cause,
      },
    )
  }
}
