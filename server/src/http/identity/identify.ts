/** The principal of a request: the holder of an API key, or else a signed-in user. */
import { type Role, ServiceError } from '@plumbline/contract'
import type { Person, PersonSession } from '@plumbline/storage/control'
import type { FastifyRequest } from 'fastify'
import { chooseWorkspace, workspaceChoice } from '../../accounts/people/choose-workspace.ts'
import { readCookies, sessionCookieName, tokenIn } from '../../accounts/people/session-cookie.ts'
import type { Sessions } from '../../accounts/people/sessions.ts'
import { scopesOf } from '../../requests/permissions.ts'
import type { Principal } from '../../requests/verb.ts'
import { refuseForeignPages } from '../foreign-pages.ts'
import type { Authenticator } from './authenticate.ts'

/** The session of a request's cookie; throws `unauthorized` if there is none. */
export type SessionOf = (request: FastifyRequest, nowMs: number) => Promise<PersonSession>

export function makeSessionOf({
  sessions,
  ...parts
}: Omit<IdentifyDeps, 'authenticator' | 'catchUp'>): SessionOf {
  const readToken = makeReadToken(parts)
  return async ({ headers }, nowMs) => {
    const token = readToken(readCookies(headers.cookie ?? ''))
    const session = token === undefined ? undefined : await sessions.find(token, nowMs)
    if (session === undefined) throw makeSignedOutError()
    return session
  }
}

/** The user whose session the cookies name; undefined if there is none. */
export function makePersonOf({ sessions, ...parts }: Omit<IdentifyDeps, 'authenticator' | 'catchUp'>) {
  const readToken = makeReadToken(parts)
  return async (cookies: ReadonlyMap<string, string>, nowMs: number): Promise<Person | undefined> => {
    const token = readToken(cookies)
    const session = token === undefined ? undefined : await sessions.find(token, nowMs)
    return session?.person
  }
}

const makeSignedOutError = () =>
  new ServiceError('unauthorized', { problem: 'You are signed out; sign in again.' })

export type Identify = (request: FastifyRequest, nowMs: number) => Principal | Promise<Principal>

interface IdentifyDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly sessions: Sessions
  readonly sessionSecret: string
  readonly publicUrl: string | undefined
  /** Resolves once changes that other nodes made in a workspace are known; undefined with a single node. */
  readonly catchUp: ((workspaceId: string) => Promise<unknown>) | undefined
}

/** The workspace that a URL names, for requests that cannot send the header, such as those for a page's images. */
const workspaceOfAddress = ({ method, query }: FastifyRequest): unknown =>
  // Safe: the platform reads every query as a record.
  method === 'GET' || method === 'HEAD' ? (query as { readonly workspace?: unknown }).workspace : undefined

/** The session token in a request's cookie, if its signature is ours; the session may have ended. */
function makeReadToken({
  sessionSecret,
  publicUrl,
}: Pick<IdentifyDeps, 'sessionSecret' | 'publicUrl'>): (
  cookies: ReadonlyMap<string, string>,
) => string | undefined {
  const cookieName = sessionCookieName(publicUrl?.startsWith('https:') === true)
  return (cookies) => tokenIn(cookies.get(cookieName) ?? '', sessionSecret)
}

export function makeIdentify({ authenticator, sessions, catchUp, ...parts }: IdentifyDeps): Identify {
  const { publicUrl } = parts
  const readToken = makeReadToken(parts)

  const identifySession = async (token: string, request: FastifyRequest, nowMs: number, cookie?: string) => {
    const session = await sessions.find(token, nowMs)
    if (session === undefined) throw makeSignedOutError()
    refuseForeignPages(request, publicUrl)
    const header = request.headers[workspaceChoice] ?? workspaceOfAddress(request)
    const membership = chooseWorkspace(session.memberships, {
      header: typeof header === 'string' ? header : undefined,
      cookie,
    })
    if (membership !== undefined) await catchUp?.(membership.workspaceId)
    // Safe: only roles in the contract are ever stored.
    const role = (membership?.role ?? 'viewer') as Role
    return {
      id: session.person.id,
      name: session.person.name,
      session,
      workspaceId: membership?.workspaceId,
      scopes: membership === undefined ? [] : scopesOf(role),
      role,
    }
  }

  return (request, nowMs) => {
    const { authorization, cookie } = request.headers
    if (authorization !== undefined || cookie === undefined)
      return authenticator.authenticate(authorization, nowMs, request.raw.socket)
    const cookies = readCookies(cookie)
    const token = readToken(cookies)
    if (token === undefined) return authenticator.authenticate(undefined, nowMs)
    return identifySession(token, request, nowMs, cookies.get(workspaceChoice))
  }
}
