/** The list of experiments, their comparison, and their runs. */
import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { flag, number, oneOf, searchParams, text } from '../app/search-params.ts'

export const experimentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments',
  validateSearch: searchParams({ sort: text, feature: text }),
  component: lazyScreen(() => import('./experiments-screen.tsx'), 'ExperimentsScreen'),
})

/**
 * `ids` and `lower` (scores where lower is better) are comma-separated, as the operation accepts them; the gate
 * `rules` are separated by semicolons, and `candidate` is the experiment they judge.
 */
export const compareRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments/compare',
  validateSearch: searchParams({
    ids: text,
    baseline: text,
    lower: text,
    regressions: flag,
    case: text,
    gate: flag,
    rules: text,
    candidate: text,
    comments: flag,
  }),
  component: lazyScreen(() => import('./compare-screen.tsx'), 'CompareScreen'),
})

/** The initial choices; `rows` are ids, comma-separated. */
export const runExperimentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments/run',
  validateSearch: searchParams({
    dataset: text,
    rows: text,
    datasetVersion: number,
    split: text,
    label: text,
    prompt: text,
    version: text,
  }),
  component: lazyScreen(() => import('./runs/run-experiment-screen.tsx'), 'RunExperimentScreen'),
})

export const experimentRunRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/experiments/runs/$id',
  validateSearch: searchParams({ status: oneOf('waiting', 'running', 'done', 'failed', 'cancelled') }),
  component: lazyScreen(() => import('./runs/run-screen.tsx'), 'RunScreen'),
})

export const experimentsRoutes = [
  experimentsRoute,
  compareRoute,
  runExperimentRoute,
  experimentRunRoute,
] as const

/** The list, as the parent in the paths of its screens. */
export const experimentsStep = { label: 'Experiments', link: { to: '/experiments' } } as const
