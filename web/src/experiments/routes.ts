/** The list of experiments, and some of them side by side. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, searchParams, text } from '../app/search-params.ts'

export const experimentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments',
  validateSearch: searchParams({ sort: text, feature: text }),
  component: lazyRouteComponent(() => import('./experiments-screen.tsx'), 'ExperimentsScreen'),
})

/** `ids` and `lower` (scores of which less is better) are comma-separated, as the operation takes them. */
export const compareRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments/compare',
  validateSearch: searchParams({ ids: text, baseline: text, lower: text, regressions: flag, case: text }),
  component: lazyRouteComponent(() => import('./compare-screen.tsx'), 'CompareScreen'),
})

export const experimentsRoutes = [experimentsRoute, compareRoute] as const
