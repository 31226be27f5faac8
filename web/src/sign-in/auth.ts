/**
 * The client of the sign-in: `/auth/*` is not part of the contract's operations, since it accepts no key and sets the
 * cookie.
 */
import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import { basePath } from '../ui/base-path.ts'

/** The sign-in methods of this service. */
export interface SignInOptions {
  /** Whether the service has no owner yet. */
  readonly needsSetUp: boolean
  /** The single sign-on of the organization. */
  readonly oidc: { readonly name: string } | null
  /** Whether the service can send a password reset link by e-mail. */
  readonly resetsByMail: boolean
}

export interface InvitationResponse {
  readonly invitation: {
    readonly email: string
    readonly role: string
    readonly workspace: string
    /** Whether the address belongs to an account that can sign in. */
    readonly isKnown: boolean
  }
}

export const get = <Answer>(path: string): Promise<Answer> => send(path, {})

export const post = <Answer = unknown>(path: string, body: object): Promise<Answer> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(basePath + path, init)
  } catch (cause) {
    throw new ServiceUnreachable('The service cannot be reached.', { cause })
  }
  const text = await response.text()
  const answer: unknown = parse(text)
  if (response.ok) return answer as Answer
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw new RequestFailed(response.status, (answer as { error?: string } | undefined)?.error, { requestId })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
