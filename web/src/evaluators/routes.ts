import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const evaluatorsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators',
  component: lazyRouteComponent(() => import('./evaluators-screen.tsx'), 'EvaluatorsScreen'),
})

export const evaluatorsRoutes = [evaluatorsRoute] as const
