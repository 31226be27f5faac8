/**
 * Signing in and out: addresses under `/auth`, for the page. Those of better-auth are passed on to it; the others make
 * people, and then sign them in the same way. Answers and refusals have the form of every other route.
 */
import { type Invitation, type Role, ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId, type PeopleStore, type SignInCondition } from '@plumbline/storage/control'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ended, openInvitation } from '../invitations/accept.ts'
import { addressGroup } from '../network/address-list.ts'
import { hashToken } from '../people/one-time-link.ts'
import { readCookies } from '../people/session-cookie.ts'
import type { Sessions } from '../people/sessions.ts'
import { addressHeader, type SignInOf } from '../people/sign-in.ts'
import { fieldsOf } from './auth-fields.ts'
import { type Body, noBody } from './bodies.ts'
import { refuseForeignPages } from './foreign-pages.ts'
import { makeRateLimit } from './rate-limit.ts'
import { addressOf } from './request-address.ts'
import { refusalIn } from './sign-in-refusals.ts'
import { makeReadToken } from './visitors.ts'

interface AuthParts {
  readonly people: PeopleStore
  readonly signIn: SignInOf
  readonly sessions: Sessions
  /** What the cookies of people are signed with. */
  readonly sessionSecret: string
  /** What the identity provider is called on the page; undefined where there is none. */
  readonly providerName: string | undefined
  readonly publicUrl: string | undefined
  readonly now: () => Date
}

/** The addresses of better-auth that the page needs. All others do not exist here. */
const passedOn = {
  POST: [
    '/auth/sign-in/email',
    '/auth/sign-in/social',
    '/auth/sign-out',
    '/auth/update-user',
    '/auth/change-password',
  ],
  GET: ['/auth/get-session', '/auth/list-sessions', '/auth/callback/oidc'],
} as const

/** Tries a minute of one address, and of one address at one person's password. */
const triesOfAddress = 60
const triesOfPerson = 10

export function addAuthRoutes(server: FastifyInstance, parts: AuthParts): void {
  const { people, signIn, sessions, publicUrl, now } = parts
  const limitAddress = makeRateLimit(triesOfAddress)
  const limitPerson = makeRateLimit(triesOfPerson)

  const begin = (request: FastifyRequest): void => {
    refuseForeignPages(request, publicUrl)
    if (request.method === 'POST') limitAddress(addressGroup(request.ip), now().getTime())
  }

  const passOn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    url = request.url,
    bytes = bodyOf(request).bytes,
  ): Promise<FastifyReply> => {
    const base = addressOf(request, publicUrl)
    const response = await (await signIn(/social|callback/.test(url))).handle(
      webRequest(request, base, url, bytes),
    )
    if (request.method === 'POST' || response.headers.has('set-cookie')) sessions.forget()
    if (response.status >= 400) throw await refusalIn(response)
    return send(reply, response)
  }

  /** Signs in somebody who has just been made or has a new password, so that the page need not ask twice. */
  const enter = (request: FastifyRequest, reply: FastifyReply, email: string, password: string) =>
    passOn(request, reply, '/auth/sign-in/email', Buffer.from(JSON.stringify({ email, password })))

  for (const method of ['GET', 'POST'] as const) {
    for (const url of passedOn[method]) {
      server.route({
        method,
        url,
        onRequest: async (request) => begin(request),
        handler: async (request, reply) => {
          const { email } = (bodyOf(request).json ?? {}) as { email?: unknown }
          if (typeof email === 'string')
            limitPerson(`${addressGroup(request.ip)} ${email.toLowerCase()}`, now().getTime())
          return passOn(request, reply)
        },
      })
    }
  }

  addSessionRoutes(server, parts, begin)

  server.get('/auth/options', async () => ({
    needsSetUp: !(await people.hasOwner()),
    oidc: parts.providerName === undefined ? null : { name: parts.providerName },
  }))

  server.post('/auth/set-up', { onRequest: async (request) => begin(request) }, async (request, reply) => {
    const { token, name, email, password } = fieldsOf(bodyOf(request).json, [
      'token',
      'name',
      'email',
      'password',
    ])
    const passwordHash = await (await signIn()).hash(password)
    const link = { hash: hashToken(token), workspaceId: defaultWorkspaceId }
    const person = await people.setUp(link, { name, email, passwordHash }, now())
    if (person === undefined)
      throw new ServiceError('link_refused', {
        problem:
          'This link is not the newest of this service, or there is an owner already; sign in instead.',
      })
    return enter(request, reply, email, password)
  })

  server.get<{ Querystring: { token?: string } }>('/auth/invitation', async (request) => {
    const { token = '' } = request.query
    const { email, role, workspaceName, isKnown } = await openInvitation(people, String(token), now())
    const invitation: Pick<Invitation, 'email' | 'role'> & { workspace: string; isKnown: boolean } = {
      email,
      // Safe: only roles that the contract knows are ever stored.
      role: role as Role,
      workspace: workspaceName,
      isKnown,
    }
    return { invitation }
  })

  server.post('/auth/join', { onRequest: async (request) => begin(request) }, async (request, reply) => {
    const { token, name, password } = fieldsOf(bodyOf(request).json, ['token', 'name', 'password'])
    const invitation = await openInvitation(people, token, now())
    if (invitation.isKnown)
      throw new ServiceError('already_exists', { kind: 'account', name: invitation.email })
    const passwordHash = await (await signIn()).hash(password)
    const person = await people.join(invitation, { name, passwordHash }, now())
    if (person === undefined) throw ended()
    return enter(request, reply, person.email, password)
  })

  server.post(
    '/auth/reset-password',
    { onRequest: async (request) => begin(request) },
    async (request, reply) => {
      const { token, password } = fieldsOf(bodyOf(request).json, ['token', 'password'])
      const passwordHash = await (await signIn()).hash(password)
      const person = await people.resetPassword({ hash: hashToken(token), passwordHash }, now())
      if (person === undefined)
        throw new ServiceError('link_refused', {
          problem: 'This link was used or is too old; ask for another.',
        })
      return enter(request, reply, person.email, password)
    },
  )
}

/**
 * Ending sessions. The library would end them by their tokens, and nobody has those of others: a session is named by
 * what its list has in the place of the token, which is the hash.
 */
function addSessionRoutes(
  server: FastifyInstance,
  { people, sessions, now, ...parts }: AuthParts,
  begin: (request: FastifyRequest) => void,
): void {
  const readToken = makeReadToken(parts)

  const endSessions = async (request: FastifyRequest, operator: 'eq' | 'ne', tokenHash?: string) => {
    const token = readToken(readCookies(request.headers.cookie ?? ''))
    const session = token === undefined ? undefined : await sessions.find(token, now().getTime())
    if (token === undefined || session === undefined)
      throw new ServiceError('unauthorized', { problem: 'You are signed out; sign in again.' })
    const where: SignInCondition[] = [
      { field: 'userId', operator: 'eq', connector: 'AND', value: session.person.id },
      { field: 'token', operator, connector: 'AND', value: tokenHash ?? hashToken(token) },
    ]
    await people.rows.remove({ kind: 'session', where })
    sessions.forget()
    return { status: true }
  }

  const onRequest = async (request: FastifyRequest): Promise<void> => begin(request)
  server.post('/auth/revoke-session', { onRequest }, async (request) => {
    const { token } = fieldsOf(bodyOf(request).json, ['token'])
    return endSessions(request, 'eq', token)
  })
  server.post('/auth/revoke-other-sessions', { onRequest }, async (request) => endSessions(request, 'ne'))
}

/** Safe: the parser of JSON bodies makes these. */
const bodyOf = (request: FastifyRequest): Body => (request.body as Body | undefined) ?? noBody

/** The request for the library: of our own origin, which was checked, and with an address that is the socket's. */
function webRequest(request: FastifyRequest, base: string, url: string, bytes: Buffer): Request {
  const { method, headers, ip } = request
  const passed: Record<string, string> = { origin: new URL(base).origin, [addressHeader]: ip }
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = headers[name]
    if (value !== undefined) passed[name] = value
  }
  if (bytes.length > 0) passed['content-type'] = 'application/json'
  return new Request(`${base}${url}`, {
    method,
    headers: passed,
    ...(bytes.length > 0 ? { body: new Uint8Array(bytes) } : {}),
  })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text()
  const location = response.headers.get('location')
  reply.code(response.status)
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  // The page follows the address in the body; only a browser that navigates here is sent on.
  if (location !== null && response.status >= 300) reply.header('location', location)
  return reply.type('application/json; charset=utf-8').send(text === '' ? '{}' : text)
}
