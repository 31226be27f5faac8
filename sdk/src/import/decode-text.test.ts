import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeText, EncodingError } from './decode-text.ts'

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const read = async (bytes: Uint8Array, size: number): Promise<string> =>
  (await Array.fromAsync(decodeText(piecesOf(bytes, size)))).join('')

const text = 'Größe;名前 🎉'

it('a text is UTF-8, or UTF-16 with a byte order mark, in any pieces', async () => {
  const littleEndian = Buffer.from(`\ufeff${text}`, 'utf16le')
  const encodings = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    littleEndian,
    Buffer.from(littleEndian).swap16(),
  ]
  for (const bytes of encodings) for (const size of [1, 3, 1000]) assert.equal(await read(bytes, size), text)
  assert.equal(await read(Buffer.from(''), 1), '')
  assert.equal(await read(Buffer.from('a'), 1), 'a')
})

it('a text in another encoding is an error, and no character is replaced', async () => {
  for (const bytes of [
    Buffer.from('Größe', 'latin1'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    Buffer.from([0xc3]),
  ])
    await assert.rejects(read(bytes, 1000), (error: Error) => {
      assert.match(error.message, /not UTF-8; save it as “CSV UTF-8”/)
      return error instanceof EncodingError && error.name === 'SyntaxError'
    })
})

it('a text is in the given encoding, unless it has a byte order mark', async () => {
  const readAs = async (bytes: Uint8Array): Promise<string> =>
    (await Array.fromAsync(decodeText(piecesOf(bytes, 1), 'windows-1252'))).join('')
  assert.equal(await readAs(Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x80])), 'Größe €')
  assert.equal(await readAs(Buffer.from('\ufeffGröße', 'utf16le')), 'Größe')
})
