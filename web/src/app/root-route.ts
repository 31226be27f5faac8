/** The routes that every screen hangs below. A screen's own routes are in its folder's `routes.ts`. */
import type { Operations } from '@plumbline/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, retainSearchParams } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { NotFoundPage } from './not-found.tsx'
import { searchParams, text } from './search-params.ts'
import { requireSession } from './session.tsx'

/** The context of loaders and guards. */
export interface RouterContext {
  readonly client: Operations
  readonly queries: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFoundPage })

/** The input of a guard. Stated, since the compiler cannot infer both a guard's parameter and the search's type. */
interface Arrival {
  readonly context: RouterContext
  readonly location: { readonly href: string }
}

/** Everything behind the sign-in: the rail, the selected range, the palette. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'workspace',
  validateSearch: searchParams({ range: text }),
  // The range stays from screen to screen.
  search: { middlewares: [retainSearchParams<{ range?: string }>(['range'])] },
  beforeLoad: ({ context, location }: Arrival) => requireSession(context, location.href),
  component: lazyScreen(() => import('./layout.tsx'), 'Layout'),
})
