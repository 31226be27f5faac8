import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { oneOf, searchParams, text } from '../app/search-params.ts'

export const queuesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/annotation',
  validateSearch: searchParams({ sort: text }),
  component: lazyScreen(() => import('./queues-screen.tsx'), 'QueuesScreen'),
})

/** One queue: its items, agreement and settings. */
export const queueRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/annotation/$id',
  validateSearch: searchParams({
    tab: oneOf('agreement', 'settings'),
    status: oneOf('open', 'held', 'done'),
    sort: text,
  }),
  component: lazyScreen(() => import('./queue-screen.tsx'), 'QueueScreen'),
})

/** One item after the other; `item` is one to score again. */
export const annotateRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/annotation/$id/annotate',
  validateSearch: searchParams({ item: text }),
  component: lazyScreen(() => import('./judge/annotate-screen.tsx'), 'AnnotateScreen'),
})

export const annotationRoutes = [queuesRoute, queueRoute, annotateRoute] as const

/** The list, as the parent in the paths of its screens. */
export const annotationStep = { label: 'Annotation', link: { to: '/annotation' } } as const
