/** The list of datasets, and one of them as a grid. */
import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { number, searchParams, text } from '../app/search-params.ts'

export const datasetsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/datasets',
  validateSearch: searchParams({ sort: text }),
  component: lazyScreen(() => import('./datasets-screen.tsx'), 'DatasetsScreen'),
})

export const datasetRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/datasets/$slug',
  validateSearch: searchParams({ row: text, version: number, split: text, label: text, q: text }),
  component: lazyScreen(() => import('./dataset-screen.tsx'), 'DatasetScreen'),
})

export const datasetsRoutes = [datasetsRoute, datasetRoute] as const
