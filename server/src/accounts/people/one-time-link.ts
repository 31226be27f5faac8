/** One-time links. Only a hash of their secret is stored. */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/secret.ts'

/** The pages that links lead to. */
const pages = { setUp: 'setup', invitation: 'join', password: 'reset' } as const

/** The secret of a link: 32 random bytes. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token, also used for lookups. */
export const hashToken = hashSecret

/** The URL of a link. The page sends no referrer, so its URL is not leaked. */
export const linkTo = (base: string, page: keyof typeof pages, token: string): string =>
  `${base}/app/${pages[page]}?token=${token}`
