import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { oneOf, searchParams } from '../app/search-params.ts'
import { snippetIds } from './snippet-ids.ts'

export const getStartedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/get-started',
  validateSearch: searchParams({ with: oneOf(...snippetIds) }),
  component: lazyRouteComponent(() => import('./get-started-screen.tsx'), 'GetStartedScreen'),
})

export const getStartedRoutes = [getStartedRoute] as const
