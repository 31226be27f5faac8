import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const dashboardRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./dashboard-screen.tsx'), 'DashboardScreen'),
})

export const dashboardRoutes = [dashboardRoute] as const
