import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { oneOf, searchParams } from '../app/search-params.ts'
import { snippetIds } from './snippet-ids.ts'

export const getStartedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/get-started',
  validateSearch: searchParams({ with: oneOf(...snippetIds) }),
  component: lazyScreen(() => import('./get-started-screen.tsx'), 'GetStartedScreen'),
})

export const getStartedRoutes = [getStartedRoute] as const
