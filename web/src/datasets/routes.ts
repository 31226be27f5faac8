import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const datasetsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/datasets',
  component: lazyRouteComponent(() => import('./datasets-screen.tsx'), 'DatasetsScreen'),
})

export const datasetsRoutes = [datasetsRoute] as const
