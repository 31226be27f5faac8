/**
 * SHA-256 (FIPS 180-4) in plain JavaScript. The platforms' own is asynchronous, and missing from pages that came over
 * plain HTTP; what is hashed here is as short as the id of a user.
 */

/** The first 32 bits of the fractional part of a root of a prime number. */
const fractionOfRoot = (prime: number, degree: 2 | 3): number => {
  const root = degree === 2 ? Math.sqrt(prime) : Math.cbrt(prime)
  return ((root - Math.floor(root)) * 2 ** 32) | 0
}

const firstPrimes = (count: number): number[] => {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return primes
}

const constants = /* @__PURE__ */ firstPrimes(64).map((prime) => fractionOfRoot(prime, 3))
const initial = /* @__PURE__ */ firstPrimes(8).map((prime) => fractionOfRoot(prime, 2))

const blockBytes = 64
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The digest as eight words of 32 bits, each from 0 to 2³² - 1. */
export function sha256(bytes: Uint8Array): number[] {
  // One bit 1 and the length in bits, in 64 bits, follow what is hashed; zeros fill the last block up.
  const length = Math.ceil((bytes.length + 9) / blockBytes) * blockBytes
  const padded = new DataView(new ArrayBuffer(length))
  bytes.forEach((byte, at) => {
    padded.setUint8(at, byte)
  })
  padded.setUint8(bytes.length, 0x80)
  padded.setBigUint64(length - 8, BigInt(bytes.length) * 8n)

  const state = [...initial]
  const schedule = new Int32Array(64)
  for (let from = 0; from < length; from += blockBytes) {
    for (let at = 0; at < 64; at++)
      schedule[at] = at < 16 ? padded.getInt32(from + 4 * at) : extended(schedule, at)
    const [a, b, c, d, e, f, g, h] = compressed(state as Words, schedule)
    ;[a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] = (state[at]! + word) | 0
    })
  }
  return state.map((word) => word >>> 0)
}

type Words = [number, number, number, number, number, number, number, number]

function extended(schedule: Int32Array, at: number): number {
  const [old, recent] = [schedule[at - 15]!, schedule[at - 2]!]
  const low = rotate(old, 7) ^ rotate(old, 18) ^ (old >>> 3)
  const high = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >>> 10)
  return (schedule[at - 16]! + low + schedule[at - 7]! + high) | 0
}

function compressed(state: Words, schedule: Int32Array): Words {
  let [a, b, c, d, e, f, g, h] = state
  for (let round = 0; round < 64; round++) {
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + sumE + choice + constants[round]! + schedule[round]!) | 0
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sumA + majority) | 0]
  }
  return [a, b, c, d, e, f, g, h]
}
