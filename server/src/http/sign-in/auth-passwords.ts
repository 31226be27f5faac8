/** Where users set passwords: the set-up, an invitation, a password link, and the change of a known password. */
import { auditedRoutes, type Invitation, type Role, ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invitationRefusal, openInvitation } from '../../accounts/invitations/accept.ts'
import { hashToken } from '../../accounts/people/one-time-link.ts'
import { refuseWeakPassword } from '../../accounts/people/password-strength.ts'
import { addressGroup } from '../../network/address-list.ts'
import { authBytesMax } from '../../requests/body-limits.ts'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import { type Body, noBody } from '../bodies.ts'
import { type AuthField, fieldsOf } from './auth-fields.ts'
import type { AuthParts, AuthSteps } from './auth-routes.ts'

export function registerPasswordRoutes(server: FastifyInstance, parts: AuthParts, steps: AuthSteps): void {
  const { people, signIn, sessionOf, sessions, forgottenPassword, audit, now } = parts
  const onRequest = async (request: FastifyRequest): Promise<void> => steps.begin(request)
  const hashOf = async (password: string): Promise<string> => (await signIn()).hash(password)

  server.post(
    '/auth/set-up',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.setUp) },
    async (request, reply) => {
      const { token, name, email, password } = readFields(request, ['token', 'name', 'email', 'password'])
      await refuseWeakPassword(password, { personal: [name, email] })
      const link = { hash: hashToken(token), workspaceId: defaultWorkspaceId }
      const person = await people.setUp(link, { name, email, passwordHash: await hashOf(password) }, now())
      if (person === undefined)
        throw new ServiceError('link_refused', {
          problem:
            'This link is not valid: there is a newer one, or the service already has an owner; sign in instead.',
        })
      return steps.enter(request, reply, email, password)
    },
  )

  server.get<{ Querystring: { token?: string } }>('/auth/invitation', async (request) => {
    const { token = '' } = request.query
    const { email, role, workspaceName, isKnown } = await openInvitation(people, String(token), now())
    const invitation: Pick<Invitation, 'email' | 'role'> & { workspace: string; isKnown: boolean } = {
      email,
      // Safe: only roles in the contract are ever stored.
      role: role as Role,
      workspace: workspaceName,
      isKnown,
    }
    return { invitation }
  })

  server.post(
    '/auth/join',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.join) },
    async (request, reply) => {
      const { token, name, password } = readFields(request, ['token', 'name', 'password'])
      const invitation = await openInvitation(people, token, now())
      if (invitation.isKnown)
        throw new ServiceError('already_exists', { kind: 'account', name: invitation.email })
      await refuseWeakPassword(password, { personal: [name, invitation.email] })
      const passwordHash = await hashOf(password)
      // Another invitation for the same email address may create the account in the meantime.
      const joining = people.join(invitation, { name, passwordHash }, now())
      const person = await mapConflict('account', invitation.email, joining)
      if (person === undefined) throw invitationRefusal()
      return steps.enter(request, reply, person.email, password)
    },
  )

  server.post(
    '/auth/reset-password',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.resetPassword) },
    async (request, reply) => {
      const { token, password } = readFields(request, ['token', 'password'])
      const hash = hashToken(token)
      const owner = await people.findLinkOwner(hash, now())
      if (owner === undefined) throw usedLink()
      await refuseWeakPassword(password, { personal: [owner.name, owner.email] })
      const person = await people.resetPassword({ hash, passwordHash: await hashOf(password) }, now())
      if (person === undefined) throw usedLink()
      sessions.forget(person.id)
      return steps.enter(request, reply, person.email, password)
    },
  )

  server.post(
    '/auth/change-password',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.changePassword) },
    async (request, reply) => {
      const { person } = await sessionOf(request, now().getTime())
      const { currentPassword, newPassword } = readFields(request, ['currentPassword', 'newPassword'])
      // Limits guesses at the password with a stolen session, from any IP address.
      steps.limitPerson(person.id)
      await refuseWeakPassword(newPassword, { field: 'newPassword', personal: [person.name, person.email] })
      const body = { currentPassword, newPassword, revokeOtherSessions: true }
      try {
        return await steps.passOn(request, reply, '/auth/change-password', body)
      } finally {
        sessions.forget(person.id)
      }
    },
  )

  server.post(
    '/auth/forgot-password',
    { onRequest, bodyLimit: authBytesMax, ...audit(auditedRoutes.forgotPassword) },
    async (request) => {
      const { email } = readFields(request, ['email'])
      if (forgottenPassword === undefined)
        throw new ServiceError('forbidden', {
          problem: 'This service does not send mail; ask an admin of your workspace for a password link.',
        })
      steps.limitPerson(`${addressGroup(request.ip)} ${email}`)
      forgottenPassword.request(email)
      return {}
    },
  )
}

/** Safe: the JSON body parser creates these. */
const readFields = <Name extends AuthField>(request: FastifyRequest, names: readonly Name[]) =>
  fieldsOf(((request.body as Body | undefined) ?? noBody).json, names)

const usedLink = () =>
  new ServiceError('link_refused', {
    problem: 'This link was already used or has expired; ask for a new one.',
  })
