/** What signing in speaks to: `/auth/*` is no part of the interface's operations, for it takes no key and makes the cookie. */
import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import { basePath } from '../ui/base-path.ts'

/** How this service lets people in. */
export interface SignInOptions {
  /** Nobody owns the service yet. */
  readonly needsSetUp: boolean
  /** A sign-in of the organization. */
  readonly oidc: { readonly name: string } | null
  /** Whether the service can mail a link to a new password. */
  readonly resetsByMail: boolean
}

export interface InvitationResponse {
  readonly invitation: {
    readonly email: string
    readonly role: string
    readonly workspace: string
    /** Whether the address belongs to somebody who can sign in. */
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
