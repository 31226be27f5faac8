import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, searchParams, text, texts } from '../app/search-params.ts'
import { traceRoutes } from './trace/routes.ts'

/**
 * The list: `q` is the filter as text, `open` the trace in the panel and `log` its log, `live` adds new traces as
 * they arrive.
 */
export const tracesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/traces',
  validateSearch: searchParams({ q: text, sort: text, columns: texts, open: text, log: text, live: flag }),
  component: lazyScreen(() => import('./traces-screen.tsx'), 'TracesScreen'),
})

export const tracesRoutes = [tracesRoute, ...traceRoutes] as const
