/** The list of datasets, and one of them as a grid. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

export const datasetsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/datasets',
  validateSearch: searchParams({ sort: text }),
  component: lazyRouteComponent(() => import('./datasets-screen.tsx'), 'DatasetsScreen'),
})

export const datasetRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/datasets/$slug',
  validateSearch: searchParams({ row: text }),
  component: lazyRouteComponent(() => import('./dataset-screen.tsx'), 'DatasetScreen'),
})

export const datasetsRoutes = [datasetsRoute, datasetRoute] as const
