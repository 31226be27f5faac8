import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { number, oneOf, searchParams, text } from '../app/search-params.ts'

const evaluationStatus = oneOf('waiting', 'running', 'done', 'skipped', 'failed')

/** The list of evaluators; with `view` the queue of evaluations, one of them open. */
export const evaluatorsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators',
  validateSearch: searchParams({
    sort: text,
    view: oneOf('queue'),
    status: evaluationStatus,
    evaluator: text,
    open: text,
  }),
  component: lazyScreen(() => import('./evaluators-screen.tsx'), 'EvaluatorsScreen'),
})

export const newEvaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/new',
  validateSearch: searchParams({ kind: text, template: text }),
  component: lazyScreen(() => import('./edit/new-evaluator-screen.tsx'), 'NewEvaluatorScreen'),
})

/**
 * One evaluator; `version` is the open version, compared with `against`. `people` is the human score it is compared
 * with, and `cell` a cell of their matrix.
 */
export const evaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/$slug',
  validateSearch: searchParams({
    sort: text,
    view: oneOf('versions', 'sampling', 'evaluations', 'people'),
    version: number,
    against: number,
    status: evaluationStatus,
    open: text,
    people: text,
    cell: text,
  }),
  component: lazyScreen(() => import('./evaluator-screen.tsx'), 'EvaluatorScreen'),
})

export const editEvaluatorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluators/$slug/edit',
  component: lazyScreen(() => import('./edit/edit-evaluator-screen.tsx'), 'EditEvaluatorScreen'),
})

export const evaluatorsRoutes = [
  evaluatorsRoute,
  newEvaluatorRoute,
  evaluatorRoute,
  editEvaluatorRoute,
] as const

/** The list, as the parent in the paths of its screens. */
export const evaluatorsStep = { label: 'Evaluators', link: { to: '/evaluators' } } as const
