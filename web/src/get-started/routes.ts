import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const getStartedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/get-started',
  component: lazyRouteComponent(() => import('./get-started-screen.tsx'), 'GetStartedScreen'),
})

export const getStartedRoutes = [getStartedRoute] as const
