import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { oneOf, searchParams, text } from '../app/search-params.ts'

/** Alerts; with `view` their history or their channels. */
export const alertsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/alerts',
  validateSearch: searchParams({ view: oneOf('history', 'channels'), sort: text }),
  component: lazyScreen(() => import('./alerts-screen.tsx'), 'AlertsScreen'),
})

/** A new alert, from scratch or from a template. */
export const newAlertRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/alerts/new',
  validateSearch: searchParams({ start: text }),
  component: lazyScreen(() => import('./new-alert-screen.tsx'), 'NewAlertScreen'),
})

export const alertRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/alerts/$id',
  component: lazyScreen(() => import('./alert-screen.tsx'), 'AlertScreen'),
})

export const editAlertRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/alerts/$id/edit',
  component: lazyScreen(() => import('./edit-alert-screen.tsx'), 'EditAlertScreen'),
})

export const alertsRoutes = [alertsRoute, newAlertRoute, alertRoute, editAlertRoute] as const

/** The list, as the parent in the paths of its screens. */
export const alertsStep = { label: 'Alerts', link: { to: '/alerts' } } as const
