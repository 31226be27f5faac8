/** Audit log entries for routes that are not operations: signing in and out, passwords, sessions. Each route names its entry. */
import type { AuditedRoute } from '@plumbline/contract'
import type { PeopleStore, Person } from '@plumbline/storage/control'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { AuditActor, Auditor, AuditResult } from '../../accounts/audit/auditor.ts'
import { readCookies } from '../../accounts/people/session-cookie.ts'
import { factsOf } from '../audit.ts'
import type { Body } from '../bodies.ts'

interface SignInAuditParts {
  readonly auditor: Auditor
  readonly people: Pick<PeopleStore, 'rows'>
  /** The user whose session a request's cookies or new cookies name; undefined if there is none. */
  readonly personOf: (cookies: ReadonlyMap<string, string>, nowMs: number) => Promise<Person | undefined>
  readonly now: () => Date
}

/** Hooks that write a route's entry before its response is sent. */
export type AuditSignIn = (
  operation: AuditedRoute,
) => Pick<RouteShorthandOptions, 'preHandler'> & Required<Pick<RouteShorthandOptions, 'onSend'>>

export function makeAuditSignIn({ auditor, people, personOf, now }: SignInAuditParts): AuditSignIn {
  /** Who was signed in when the request arrived: after signing out, the cookie no longer shows it. */
  const visitors = new WeakMap<FastifyRequest, Person>()

  /** The account that the sign-in was for. The submitted email address is not stored: it might be a password. */
  const accountIn = async (request: FastifyRequest): Promise<string | undefined> => {
    const { email } = ((request.body as Body | undefined)?.json ?? {}) as { readonly email?: unknown }
    if (typeof email !== 'string') return undefined
    const condition = {
      field: 'email',
      operator: 'eq',
      connector: 'AND',
      value: email.toLowerCase(),
    } as const
    const [row] = await people.rows.find({ kind: 'user', where: [condition] }, 1)
    return typeof row?.id === 'string' ? row.id : undefined
  }

  const write = async (operation: AuditedRoute, request: FastifyRequest, reply: FastifyReply) => {
    const result = resultOf(reply, operation)
    if (result === undefined) return
    const time = now()
    const newcomer = await personOf(newCookies(reply), time.getTime())
    const person = newcomer ?? visitors.get(request)
    const entry = auditor.begin({
      ...factsOf(request),
      time,
      actor: person && actorOf(person),
      operation,
      resourceId: person?.id ?? (await accountIn(request)),
    })
    await auditor.write(entry, result)
  }

  return (operation) => ({
    preHandler: async (request) => {
      const { cookie } = request.headers
      const person = cookie === undefined ? undefined : await personOf(readCookies(cookie), now().getTime())
      if (person !== undefined) visitors.set(request, person)
    },
    onSend: async (request, reply, payload) => {
      await write(operation, request, reply)
      return payload
    },
  })
}

const actorOf = ({ id, name }: Person): AuditActor => ({ type: 'person', id, name })

/** The cookies that a response sets. */
function newCookies(reply: FastifyReply): ReadonlyMap<string, string> {
  const header = reply.getHeader('set-cookie')
  const lines = Array.isArray(header) ? header : header === undefined ? [] : [String(header)]
  return readCookies(lines.map((line) => line.split(';', 1)[0]).join('; '))
}

/** The result to log; undefined if nothing changed and it was no sign-in attempt, for example if a field is missing. */
function resultOf(reply: FastifyReply, operation: AuditedRoute): AuditResult | undefined {
  const { statusCode: status } = reply
  // The identity provider redirects browsers here, and they are redirected to the web app, signed in or with an error.
  const isSentAway = status === 302 && /[?&]error=/.test(String(reply.getHeader('location') ?? ''))
  if (status === 401 || status === 403 || isSentAway) return { outcome: 'refused', status }
  if (status >= 500) return { outcome: 'failed', status }
  const isWrongPassword = status === 400 && operation === 'auth.changePassword'
  if (isWrongPassword) return { outcome: 'refused', status }
  return status < 400 ? { outcome: 'done', status } : undefined
}
