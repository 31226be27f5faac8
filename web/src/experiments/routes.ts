import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const experimentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments',
  component: lazyRouteComponent(() => import('./experiments-screen.tsx'), 'ExperimentsScreen'),
})

export const experimentsRoutes = [experimentsRoute] as const
