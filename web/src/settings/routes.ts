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
    throw redirect({ to: '/settings/keys', replace: true })
  },
})

export const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  validateSearch: searchParams({ sort: text, all: flag }),
  component: lazyRouteComponent(() => import('./keys-tab.tsx'), 'KeysTab'),
})

export const settingsRoutes = [settingsRoute.addChildren([indexRoute, keysRoute])] as const
