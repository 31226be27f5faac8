/**
 * Signing in and out: routes under `/auth`, for the web app. Some are passed on to better-auth; the others set passwords,
 * and then sign users in the same way (`auth-passwords.ts`). Responses and errors have the form of every other route.
 */
import { type AuditedRoute, auditedRoutes } from '@plumbline/contract'
import type { PeopleStore, SignInCondition } from '@plumbline/storage/control'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ForgottenPassword } from '../../accounts/people/forgotten-password.ts'
import type { Sessions } from '../../accounts/people/sessions.ts'
import { addressHeader, type SignInOf } from '../../accounts/people/sign-in.ts'
import { addressGroup } from '../../network/address-list.ts'
import { authBytesMax } from '../../requests/body-limits.ts'
import { type Body, noBody } from '../bodies.ts'
import { refuseForeignPages } from '../foreign-pages.ts'
import type { SessionOf } from '../identity/identify.ts'
import { makeRateLimit } from '../limits/rate-limit.ts'
import { addressOf } from '../request-address.ts'
import type { AuditSignIn } from './audit-sign-in.ts'
import { type AuthField, fieldsOf } from './auth-fields.ts'
import { registerPasswordRoutes } from './auth-passwords.ts'
import { readSignInError } from './map-sign-in-errors.ts'

export interface AuthParts {
  readonly people: PeopleStore
  readonly signIn: SignInOf
  readonly sessionOf: SessionOf
  /** The display name of the identity provider; undefined if there is none. */
  readonly providerName: string | undefined
  readonly forgottenPassword: ForgottenPassword | undefined
  readonly publicUrl: string | undefined
  /** Notified when sessions may have started or ended. */
  readonly sessions: Pick<Sessions, 'markStale' | 'forget'>
  readonly audit: AuditSignIn
  readonly now: () => Date
}

/** Steps that the routes under `/auth` share. */
export interface AuthSteps {
  /** Refuses requests from other sites' pages, and IP addresses with too many attempts. */
  begin(request: FastifyRequest): void
  /** Counts an attempt against one user's password or email address. */
  limitPerson(key: string): void
  /** Passes a body on to better-auth, and its response back. */
  passOn(request: FastifyRequest, reply: FastifyReply, url: string, body?: object): Promise<FastifyReply>
  /** Signs in a user who was just created or has set a new password, so that the web app need not ask for it again. */
  enter(request: FastifyRequest, reply: FastifyReply, email: string, password: string): Promise<FastifyReply>
}

interface PassedOn {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The fields of the body; no others are passed on. */
  readonly fields: readonly AuthField[]
  readonly needsSession: boolean
  /** Its entry in the audit log; undefined for routes that only read. */
  readonly auditedRoute?: AuditedRoute
}

const get = (url: string, needsSession: boolean): PassedOn => ({
  method: 'GET',
  url,
  fields: [],
  needsSession,
})
const post = (url: string, needsSession: boolean, ...fields: AuthField[]): PassedOn => ({
  method: 'POST',
  url,
  fields,
  needsSession,
})

const signOut = '/auth/sign-out'

/** The better-auth routes that the web app needs. All others do not exist here. */
const passedOn: readonly PassedOn[] = [
  { ...post('/auth/sign-in/email', false, 'email', 'password'), auditedRoute: auditedRoutes.signIn },
  post('/auth/sign-in/social', false, 'provider', 'callbackURL'),
  { ...post(signOut, false), auditedRoute: auditedRoutes.signOut },
  { ...post('/auth/update-user', true, 'name'), auditedRoute: auditedRoutes.updateProfile },
  get('/auth/get-session', true),
  get('/auth/list-sessions', true),
  { ...get('/auth/callback/oidc', false), auditedRoute: auditedRoutes.signIn },
]

/** Attempts per minute from one IP address, and from one IP address at one user's password. */
const triesOfAddress = 60
const triesOfPerson = 10

export function registerAuthRoutes(server: FastifyInstance, parts: AuthParts): void {
  const { people, sessionOf, sessions, now } = parts
  const steps = makeSteps(parts)
  /** Ends the session on this node even if the control plane becomes unavailable before it is asked again. */
  const endSessionAfter = async (
    request: FastifyRequest,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    const session = await sessionOf(request, now().getTime()).catch(() => undefined)
    try {
      return await work()
    } finally {
      if (session !== undefined) sessions.forget(session.person.id)
    }
  }
  for (const { method, url, fields, needsSession, auditedRoute } of passedOn) {
    server.route({
      ...(auditedRoute === undefined ? {} : parts.audit(auditedRoute)),
      method,
      url,
      bodyLimit: authBytesMax,
      onRequest: async (request) => steps.begin(request),
      handler: async (request, reply) => {
        if (needsSession) await sessionOf(request, now().getTime())
        if (method === 'GET') return steps.passOn(request, reply, request.url)
        const body = fieldsOf(bodyOf(request).json, fields)
        if ('email' in body) steps.limitPerson(`${addressGroup(request.ip)} ${body.email}`)
        if (url !== signOut) return steps.passOn(request, reply, request.url, body)
        return endSessionAfter(request, () => steps.passOn(request, reply, request.url, body))
      },
    })
  }

  addSessionRoutes(server, parts, steps)

  server.get('/auth/options', async () => ({
    needsSetUp: !(await people.hasOwner()),
    oidc: parts.providerName === undefined ? null : { name: parts.providerName },
    resetsByMail: parts.forgottenPassword !== undefined,
  }))
  registerPasswordRoutes(server, parts, steps)
}

function makeSteps({ signIn, publicUrl, sessions, now }: AuthParts): AuthSteps {
  const limitAddress = makeRateLimit(triesOfAddress)
  const limitPerson = makeRateLimit(triesOfPerson)
  const passOn: AuthSteps['passOn'] = async (request, reply, url, body) => {
    const base = addressOf(request, publicUrl)
    const response = await (await signIn(/social|callback/.test(url))).handle(
      webRequest(request, base, url, body),
    )
    if (request.method === 'POST' || response.headers.has('set-cookie')) sessions.markStale()
    if (response.status >= 400) throw await readSignInError(response)
    return send(reply, response)
  }
  return {
    begin(request) {
      refuseForeignPages(request, publicUrl)
      if (request.method === 'POST') limitAddress(addressGroup(request.ip), now().getTime())
    },
    limitPerson: (key) => limitPerson(key, now().getTime()),
    passOn,
    enter: (request, reply, email, password) =>
      passOn(request, reply, '/auth/sign-in/email', { email, password }),
  }
}

/**
 * Ending sessions. The library ends sessions by their tokens, but nobody has the tokens of other sessions. A session is
 * therefore named by the hash that the session list has in place of its token.
 */
function addSessionRoutes(server: FastifyInstance, parts: AuthParts, { begin }: AuthSteps): void {
  const { people, sessionOf, sessions, audit, now } = parts
  const onRequest = async (request: FastifyRequest): Promise<void> => begin(request)
  const endSessions = async (personId: string, condition: SignInCondition): Promise<{ status: true }> => {
    const own: SignInCondition = { field: 'userId', operator: 'eq', connector: 'AND', value: personId }
    await people.rows.remove({ kind: 'session', where: [own, condition] })
    sessions.forget(personId)
    return { status: true }
  }

  server.post(
    '/auth/revoke-session',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.endSession) },
    async (request) => {
      const { person } = await sessionOf(request, now().getTime())
      const { token } = fieldsOf(bodyOf(request).json, ['token'])
      return endSessions(person.id, { field: 'token', operator: 'eq', connector: 'AND', value: token })
    },
  )
  server.post(
    '/auth/revoke-other-sessions',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.endOtherSessions) },
    async (request) => {
      const { id, person } = await sessionOf(request, now().getTime())
      return endSessions(person.id, { field: 'id', operator: 'ne', connector: 'AND', value: id })
    },
  )
}

/** Safe: the JSON body parser creates these. */
const bodyOf = (request: FastifyRequest): Body => (request.body as Body | undefined) ?? noBody

/** The request for the library: with our own origin, which was checked, and the socket's address. */
function webRequest(request: FastifyRequest, base: string, url: string, body?: object): Request {
  const { method, headers, ip } = request
  const passed: Record<string, string> = { origin: new URL(base).origin, [addressHeader]: ip }
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = headers[name]
    if (value !== undefined) passed[name] = value
  }
  if (body !== undefined) passed['content-type'] = 'application/json'
  return new Request(`${base}${url}`, {
    method,
    headers: passed,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text()
  const location = response.headers.get('location')
  reply.code(response.status)
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  // The web app follows the URL in the body; only a browser that navigates here is redirected.
  if (location !== null && response.status >= 300) reply.header('location', location)
  return reply.type('application/json; charset=utf-8').send(text === '' ? '{}' : text)
}
