import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, oneOf, searchParams, text } from '../app/search-params.ts'

export const promptsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/prompts',
  validateSearch: searchParams({
    q: text,
    feature: text,
    folder: text,
    archived: flag,
    sort: text,
    create: flag,
  }),
  component: lazyScreen(() => import('./prompts-screen.tsx'), 'PromptsScreen'),
})

/** The views of the selected version, or of all versions. */
export const views = ['text', 'changes', 'try', 'figures', 'tags', 'rollout', 'served'] as const
export type View = (typeof views)[number]

export const promptRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/prompts/$slug',
  validateSearch: searchParams({
    version: text,
    view: oneOf(...views),
    against: text,
    sort: text,
    comments: flag,
  }),
  component: lazyScreen(() => import('./prompt-screen.tsx'), 'PromptScreen'),
})

/** A new version, based on the version `from`. */
export const editPromptRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/prompts/$slug/edit',
  validateSearch: searchParams({ from: text }),
  component: lazyScreen(() => import('./edit/edit-screen.tsx'), 'EditScreen'),
})

export const promptsRoutes = [promptsRoute, promptRoute, editPromptRoute] as const
