import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

/** `q` is the filter as in the trace list, `by` the grouping of the charts and the table. */
export const dashboardRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/dashboard',
  validateSearch: searchParams({ q: text, by: text, sort: text }),
  component: lazyScreen(() => import('./dashboard-screen.tsx'), 'DashboardScreen'),
})

/** A custom dashboard; `q` narrows all of its charts. */
export const ownDashboardRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/dashboard/$slug',
  validateSearch: searchParams({ q: text }),
  component: lazyScreen(() => import('./own/own-dashboard-screen.tsx'), 'OwnDashboardScreen'),
})

export const dashboardRoutes = [dashboardRoute, ownDashboardRoute] as const
