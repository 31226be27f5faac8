/** The secret of an API key: `pl_`, 32 random bytes in base 62, and a checksum that reveals a mistyped key. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'pl_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is the first power above 2^256. */
const randomLength = 43
/** 62^6 is the first power above 2^32. */
const checksumLength = 6
/** How many characters of a secret lists show. */
const shownLength = 9

/** A new secret. It is shown once; only its hash is stored. */
export function makeSecret(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return `${prefix}${random}${checksumOf(random)}`
}

/** Whether a text has the form of our secrets but a wrong checksum: no such key can exist. */
export function isMistyped(secret: string): boolean {
  if (!secret.startsWith(prefix) || secret.length !== prefix.length + randomLength + checksumLength)
    return false
  const random = secret.slice(prefix.length, prefix.length + randomLength)
  return secret.slice(prefix.length + randomLength) !== checksumOf(random)
}

/** The stored form of a secret, also used for lookups: SHA-256 is enough for 256 random bits. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** The first characters of a secret, by which its owner recognizes it. */
export const shownPrefix = (secret: string): string => secret.slice(0, shownLength)

const checksumOf = (random: string): string => base62(BigInt(crc32(random)), checksumLength)

function base62(number: bigint, length: number): string {
  let rest = number
  let text = ''
  for (let index = 0; index < length; index++) {
    text = alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}
