import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const playgroundRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/playground',
  component: lazyRouteComponent(() => import('./playground-screen.tsx'), 'PlaygroundScreen'),
})

export const playgroundRoutes = [playgroundRoute] as const
