import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

/** The list; `q` filters their traces. */
export const conversationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/conversations',
  validateSearch: searchParams({ q: text, sort: text }),
  component: lazyScreen(() => import('./conversations-screen.tsx'), 'ConversationsScreen'),
})

/** One conversation, by its session. */
export const conversationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/conversations/$id',
  component: lazyScreen(() => import('./conversation-screen.tsx'), 'ConversationScreen'),
})

export const conversationsRoutes = [conversationsRoute, conversationRoute] as const
