/** The settings: a route for each tab. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, searchParams, text } from '../app/search-params.ts'

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-screen.tsx'), 'SettingsScreen'),
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
  component: lazyRouteComponent(() => import('./keys-tab.tsx'), 'KeysTab'),
})

export const workspaceTabRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/workspace',
  component: lazyRouteComponent(() => import('./workspace-tab.tsx'), 'WorkspaceTab'),
})

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: searchParams({ sort: text }),
  component: lazyRouteComponent(() => import('./members-tab.tsx'), 'MembersTab'),
})

export const pricesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/prices',
  validateSearch: searchParams({ sort: text, model: text }),
  component: lazyRouteComponent(() => import('./prices-tab.tsx'), 'PricesTab'),
})

export const connectionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connections',
  validateSearch: searchParams({ sort: text }),
  component: lazyRouteComponent(() => import('./connections-tab.tsx'), 'ConnectionsTab'),
})

export const maskingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/masking',
  component: lazyRouteComponent(() => import('./masking/masking-tab.tsx'), 'MaskingTab'),
})

export const accountsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/accounts',
  validateSearch: searchParams({ q: text }),
  component: lazyRouteComponent(() => import('./accounts-tab.tsx'), 'AccountsTab'),
})

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/you',
  component: lazyRouteComponent(() => import('./profile-tab.tsx'), 'ProfileTab'),
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
    profileRoute,
  ]),
] as const
