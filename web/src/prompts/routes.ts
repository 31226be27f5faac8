import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'

export const promptsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/prompts',
  component: lazyRouteComponent(() => import('./prompts-screen.tsx'), 'PromptsScreen'),
})

export const promptsRoutes = [promptsRoute] as const
