import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { rootRoute } from '../app/root-route.ts'

/** The target of a share link, for people without an account. */
export const sharedTraceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/share/$token',
  component: lazyScreen(() => import('./shared-trace-screen.tsx'), 'SharedTraceScreen'),
})

export const sharingRoutes = [sharedTraceRoute] as const
