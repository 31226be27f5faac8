import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const tracesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/traces',
  component: lazyRouteComponent(() => import('./traces-screen.tsx'), 'TracesScreen'),
})

export const tracesRoutes = [tracesRoute] as const
