/** Langfuse's clients send a pair of keys; the secret one is an API key, and the public one is for people alone. */
import { ServiceError } from '@plumbline/contract'

/** Where Langfuse's public API begins. */
export const langfusePath = '/api/public'

const basic = /^basic +(\S*) *$/i

/** Basic credentials as the bearer credentials of their secret key; anything else unchanged. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const encoded = basic.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return authorization
  const [, secretKey = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (!/^\S+$/.test(secretKey))
    throw new ServiceError('unauthorized', {
      problem: 'The secret key must be an API key of Plumbline; the public key may be any text.',
    })
  return `Bearer ${secretKey}`
}
