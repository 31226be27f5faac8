/** The settings: a route for each tab. */
import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, oneOf, searchParams, text } from '../app/search-params.ts'
import { outcomes } from './audit/audit-changes.ts'
import { jobStates } from './jobs/job-states.ts'

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyScreen(() => import('./settings-screen.tsx'), 'SettingsScreen'),
})

const indexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/workspace', replace: true })
  },
})

export const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  validateSearch: searchParams({ sort: text, all: flag }),
  component: lazyScreen(() => import('./keys/keys-tab.tsx'), 'KeysTab'),
})

const workspaceTabRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/workspace',
  component: lazyScreen(() => import('./workspace-tab.tsx'), 'WorkspaceTab'),
})

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: searchParams({ sort: text }),
  component: lazyScreen(() => import('./members/members-tab.tsx'), 'MembersTab'),
})

export const pricesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/prices',
  validateSearch: searchParams({ sort: text, model: text }),
  component: lazyScreen(() => import('./prices/prices-tab.tsx'), 'PricesTab'),
})

export const connectionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connections',
  validateSearch: searchParams({ sort: text }),
  component: lazyScreen(() => import('./connections/connections-tab.tsx'), 'ConnectionsTab'),
})

const maskingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/masking',
  component: lazyScreen(() => import('./masking/masking-tab.tsx'), 'MaskingTab'),
})

export const accountsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/accounts',
  validateSearch: searchParams({ q: text }),
  component: lazyScreen(() => import('./accounts/accounts-tab.tsx'), 'AccountsTab'),
})

export const auditRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit',
  validateSearch: searchParams({
    actor: text,
    operation: text,
    outcome: oneOf(...outcomes),
    period: oneOf('day', 'week', 'month'),
    everywhere: flag,
    open: text,
  }),
  component: lazyScreen(() => import('./audit/audit-tab.tsx'), 'AuditTab'),
})

export const jobsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/jobs',
  validateSearch: searchParams({ kind: text, state: oneOf(...jobStates), all: flag }),
  component: lazyScreen(() => import('./jobs/jobs-tab.tsx'), 'JobsTab'),
})

const capacityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/capacity',
  component: lazyScreen(() => import('./capacity/capacity-tab.tsx'), 'CapacityTab'),
})

const erasureRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/erasure',
  component: lazyScreen(() => import('./retention/erasure-tab.tsx'), 'ErasureTab'),
})

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/you',
  component: lazyScreen(() => import('./profile/profile-tab.tsx'), 'ProfileTab'),
})

export const settingsRoutes = [
  settingsRoute.addChildren([
    indexRoute,
    workspaceTabRoute,
    membersRoute,
    keysRoute,
    connectionsRoute,
    pricesRoute,
    maskingRoute,
    accountsRoute,
    auditRoute,
    jobsRoute,
    capacityRoute,
    erasureRoute,
    profileRoute,
  ]),
] as const
