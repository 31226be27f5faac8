import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

export const evaluatorsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators',
  validateSearch: searchParams({ sort: text }),
  component: lazyRouteComponent(() => import('./evaluators-screen.tsx'), 'EvaluatorsScreen'),
})

export const newEvaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/new',
  validateSearch: searchParams({ kind: text }),
  component: lazyRouteComponent(() => import('./new-evaluator-screen.tsx'), 'NewEvaluatorScreen'),
})

export const evaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/$slug',
  validateSearch: searchParams({ sort: text }),
  component: lazyRouteComponent(() => import('./evaluator-screen.tsx'), 'EvaluatorScreen'),
})

export const editEvaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/$slug/edit',
  component: lazyRouteComponent(() => import('./edit-evaluator-screen.tsx'), 'EditEvaluatorScreen'),
})

export const evaluatorsRoutes = [
  evaluatorsRoute,
  newEvaluatorRoute,
  evaluatorRoute,
  editEvaluatorRoute,
] as const
