import type { Scope } from '@plumbline/contract'

/** Whether a key's scopes allow what a route needs; `manage` implies `read`, and nothing implies `operate`. */
export const allows = (scopes: readonly Scope[], needed: Scope | null): boolean =>
  needed !== null && (scopes.includes(needed) || (needed === 'read' && scopes.includes('manage')))
