import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { oneOf, searchParams, text } from '../app/search-params.ts'

/** End users, or with `tab` their organizations; `q` filters their traces. */
export const usersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/users',
  validateSearch: searchParams({ q: text, sort: text, tab: oneOf('customers') }),
  component: lazyScreen(() => import('./users-screen.tsx'), 'UsersScreen'),
})

export const usersRoutes = [usersRoute] as const
