/** What users may do. */
import { type NeededRole, type Operation, type Role, roles, type Scope } from '@plumbline/contract'
import { defaultWorkspaceId, type Membership } from '@plumbline/storage/control'

/** Whether a role has at least the power of another. */
export const isAtLeast = (role: Role, requiredRole: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(requiredRole)

/** The scopes of a key with the same power. */
export const scopesOf = (role: Role): readonly Scope[] => scopesByRole[role]

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  editor: ['ingest', 'read', 'manage'],
  admin: ['ingest', 'read', 'manage'],
  owner: ['ingest', 'read', 'manage', 'operate'],
}

/** Whether a user is an operator of the installation: operators own the first workspace. */
export const isOperator = (memberships: readonly Membership[]): boolean =>
  memberships.some(({ workspaceId, role }) => workspaceId === defaultWorkspaceId && role === 'owner')

/** Why a user may not do something; undefined if permitted. `role` is undefined for a user in no workspace. */
export function refusalOf(
  { role, memberships }: { readonly role: Role | undefined; readonly memberships: readonly Membership[] },
  { role: requiredRole }: { readonly role: Operation['role'] & NeededRole },
): string | undefined {
  if (requiredRole === 'anyone') return undefined
  if (requiredRole === 'operator')
    return isOperator(memberships)
      ? undefined
      : 'Only an operator of this service may do this: an owner of its first workspace.'
  if (role === undefined) return 'You are not a member of any workspace; ask someone to invite you.'
  // An operation with an unknown role is denied to everyone.
  if (roles.includes(requiredRole) && isAtLeast(role, requiredRole)) return undefined
  return `Your role in this workspace is "${role}", and this needs "${requiredRole}".`
}
