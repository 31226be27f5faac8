/** Langfuse's clients send a key pair: the secret one is an API key, and the public one is only for display. */
import { ServiceError } from '@plumbline/contract'

/** The path of Langfuse's public API. */
export const langfusePath = '/api/public'

const basic = /^basic +(\S*) *$/i

/** Converts basic credentials to bearer credentials with their secret key; returns anything else unchanged. */
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
