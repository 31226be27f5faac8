/** Links that work once. Only the hash of what is secret in them is stored. */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/secret.ts'

/** The pages that links lead to. */
const pages = { setUp: 'setup', invitation: 'join', password: 'reset' } as const

/** The secret of a link: 32 random bytes. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token, and looked up by. */
export const hashToken = hashSecret

/** The address of a link. The page asks browsers to tell its address to nobody. */
export const linkTo = (base: string, page: keyof typeof pages, token: string): string =>
  `${base}/app/${pages[page]}?token=${token}`
