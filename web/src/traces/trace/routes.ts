import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../app/lazy-screen.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { flag, searchParams, text } from '../../app/search-params.ts'

/** One trace; `log` is the open log, `find` the search in the tree, `comments` opens its comments. */
export const traceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/traces/$id',
  validateSearch: searchParams({ log: text, find: text, comments: flag }),
  component: lazyScreen(() => import('./trace-screen.tsx'), 'TraceScreen'),
})

/** Two traces side by side; `pair` is the open pair of logs, `changed` hides equal logs. */
export const traceDiffRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/traces/diff',
  validateSearch: searchParams({ a: text, b: text, pair: text, changed: flag }),
  component: lazyScreen(() => import('../diff/diff-screen.tsx'), 'DiffScreen'),
})

export const traceRoutes = [traceRoute, traceDiffRoute] as const
