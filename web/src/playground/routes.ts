import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { number, searchParams, text, texts } from '../app/search-params.ts'

/**
 * `prompt` and `version` name a stored version, `trace` and `log` a call to replay. `columns` are the models to run
 * on, `dataset` provides the cases instead of the variables, and `repeat` is the number of runs per case.
 */
export const playgroundRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/playground',
  validateSearch: searchParams({
    prompt: text,
    version: text,
    trace: text,
    log: text,
    columns: texts,
    dataset: text,
    rows: number,
    repeat: number,
  }),
  component: lazyScreen(() => import('./playground-screen.tsx'), 'PlaygroundScreen'),
})

export const playgroundRoutes = [playgroundRoute] as const
