import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { traceRoutes } from './trace/routes.ts'

export const tracesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/traces',
  component: lazyRouteComponent(() => import('./traces-screen.tsx'), 'TracesScreen'),
})

export const tracesRoutes = [tracesRoute, ...traceRoutes] as const
