/** SipHash-2-4 of a text with a key of zeros, as described by its authors; the engine's `sipHash64`. */
export function sipHash64(text: string): bigint {
  const bytes = Buffer.from(text)
  let [v0, v1, v2, v3] = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n]
  const round = (): void => {
    v0 = add(v0, v1)
    v1 = rotate(v1, 13n) ^ v0
    v0 = rotate(v0, 32n)
    v2 = add(v2, v3)
    v3 = rotate(v3, 16n) ^ v2
    v0 = add(v0, v3)
    v3 = rotate(v3, 21n) ^ v0
    v2 = add(v2, v1)
    v1 = rotate(v1, 17n) ^ v2
    v2 = rotate(v2, 32n)
  }
  const block = (word: bigint): void => {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }
  const wholeLength = bytes.length - (bytes.length % 8)
  for (let offset = 0; offset < wholeLength; offset += 8) block(bytes.readBigUInt64LE(offset))
  const last = Buffer.alloc(8)
  bytes.copy(last, 0, wholeLength)
  last[7] = bytes.length % 256
  block(last.readBigUInt64LE())
  v2 ^= 0xffn
  for (let count = 0; count < 4; count++) round()
  return v0 ^ v1 ^ v2 ^ v3
}

const add = (a: bigint, b: bigint): bigint => BigInt.asUintN(64, a + b)
const rotate = (value: bigint, bits: bigint): bigint =>
  BigInt.asUintN(64, value << bits) | (value >> (64n - bits))
