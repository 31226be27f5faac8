import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { CapacityWarning } from './capacity/capacity-warning.tsx'

/** One line for each tab; its route is in `routes.ts`. */
const tabs = [
  { to: '/settings/workspace', label: 'Workspace' },
  { to: '/settings/members', label: 'Members' },
  { to: '/settings/keys', label: 'API keys' },
  { to: '/settings/connections', label: 'LLM connections' },
  { to: '/settings/prices', label: 'Prices' },
  { to: '/settings/masking', label: 'Masking' },
  { to: '/settings/erasure', label: 'Erasure', leastRole: 'admin' },
  { to: '/settings/accounts', label: 'Accounts', isForOperators: true },
  { to: '/settings/audit', label: 'Audit log', leastRole: 'admin' },
  { to: '/settings/jobs', label: 'Jobs', leastRole: 'owner' },
  { to: '/settings/capacity', label: 'Capacity', isForOperators: true },
  { to: '/settings/you', label: 'You' },
] as const

export function SettingsScreen() {
  const { session, may } = useSession()
  const visibleTabs = tabs.filter(
    (tab) =>
      (!('isForOperators' in tab) || session?.isOperator === true) &&
      (!('leastRole' in tab) || may(tab.leastRole)),
  )
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each opened tab is scrolled into view, mainly on a phone.
  useEffect(
    () => bar.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest' }),
    [pathname],
  )
  return (
    <Screen title="Settings">
      <nav
        ref={bar}
        aria-label="Settings"
        className="sticky top-0 z-2 flex shrink-0 gap-4 overflow-x-auto border-b border-line bg-surface px-4"
      >
        {visibleTabs.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent text-sm font-medium text-ink-2 hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
      {session?.isOperator === true && <CapacityWarning />}
      <div className="flex min-h-0 flex-1 flex-col">
        <Outlet />
      </div>
    </Screen>
  )
}
