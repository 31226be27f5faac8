/** All routes of the web app. Each folder states its own; a screen's code is loaded when it is first opened. */
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { alertsRoutes } from '../alerts/routes.ts'
import { annotationRoutes } from '../annotation/routes.ts'
import { conversationsRoutes } from '../conversations/routes.ts'
import { dashboardRoutes } from '../dashboard/routes.ts'
import { datasetsRoutes } from '../datasets/routes.ts'
import { evaluatorsRoutes } from '../evaluators/routes.ts'
import { experimentsRoutes } from '../experiments/routes.ts'
import { getStartedRoutes } from '../get-started/routes.ts'
import { ledgerRoutes } from '../ledger/routes.ts'
import { playgroundRoutes } from '../playground/routes.ts'
import { promptsRoutes } from '../prompts/routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { sharingRoutes } from '../sharing/routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { tracesRoutes } from '../traces/routes.ts'
import { basePath } from '../ui/base-path.ts'
import { usersRoutes } from '../users/routes.ts'
import { queryFor } from './api.ts'
import { Leaving } from './leaving.ts'
import { NotFound } from './not-found.tsx'
import { type RouterContext, rootRoute, workspaceRoute } from './root-route.ts'
import { RouteError } from './route-error.tsx'

const hasNoTraces = ({ client, queries }: RouterContext): Promise<boolean> =>
  queries
    .fetchQuery(queryFor(client, 'traces.list', { limit: 1 }))
    .then(({ traces }) => traces.length === 0)
    // The screen of traces shows the failure.
    .catch(() => false)

const indexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: async ({ context }: { readonly context: RouterContext }) => {
    // Without traces, shows how to send one.
    const isEmpty = await hasNoTraces(context)
    throw redirect({ to: isEmpty ? '/get-started' : '/traces', replace: true })
  },
})

const leavingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/leaving',
  component: Leaving,
})

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  ...sharingRoutes,
  workspaceRoute.addChildren([
    indexRoute,
    leavingRoute,
    ...tracesRoutes,
    ...conversationsRoutes,
    ...usersRoutes,
    ...dashboardRoutes,
    ...promptsRoutes,
    ...playgroundRoutes,
    ...datasetsRoutes,
    ...experimentsRoutes,
    ...evaluatorsRoutes,
    ...annotationRoutes,
    ...alertsRoutes,
    ...ledgerRoutes,
    ...settingsRoutes,
    ...getStartedRoutes,
  ]),
])

/** The router of the web app. */
export const makeRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    basepath: `${basePath}/app`,
    defaultPreload: 'intent',
    // The queries cache the responses; only a screen's code is left to preload.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
  })

export type Router = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: Router
  }
}
