/** Signatures of webhooks by the Standard Webhooks specification: standardwebhooks.com. */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** A new secret, in the form in which receivers get it. */
export const makeWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`

/** The headers of one attempt. A receiver that knows any of the secrets finds a matching signature. */
export function signedHeaders(
  body: string,
  { id, time, secrets }: { readonly id: string; readonly time: Date; readonly secrets: readonly string[] },
): Record<string, string> {
  const timestamp = String(Math.floor(time.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
