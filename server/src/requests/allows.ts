import type { Scope } from '@plumbline/contract'

/** Whether a key's scopes allow what a route needs; `manage` implies `read`, and nothing implies `operate`. */
export const allows = (scopes: readonly Scope[], requiredScope: Scope | null): boolean =>
  requiredScope !== null &&
  (scopes.includes(requiredScope) || (requiredScope === 'read' && scopes.includes('manage')))
