/** The endpoints of Langfuse's public API that are served; a test compares them with the list in docs/langfuse.md. */
import * as runs from './dataset-runs.ts'
import * as datasets from './datasets.ts'
import type { LangfuseEndpoint } from './endpoint.ts'
import { ingest } from './ingestion.ts'
import * as projects from './projects.ts'
import * as prompts from './prompts.ts'
import * as scores from './scores.ts'
import * as traces from './traces.ts'

export const langfuseEndpoints: readonly LangfuseEndpoint[] = [
  { method: 'GET', path: '/projects', scope: 'read', orScope: 'ingest', handle: projects.list },
  { method: 'GET', path: '/v2/prompts', scope: 'read', handle: prompts.list },
  { method: 'POST', path: '/v2/prompts', scope: 'manage', success: 201, handle: prompts.create },
  { method: 'GET', path: '/v2/prompts/{name...}', scope: 'read', handle: prompts.get },
  { method: 'DELETE', path: '/v2/prompts/{name...}', scope: 'manage', success: 204, handle: prompts.remove },
  {
    method: 'PATCH',
    path: '/v2/prompts/{name...}/versions/{version}',
    scope: 'manage',
    handle: prompts.label,
  },
  { method: 'GET', path: '/v2/datasets', scope: 'read', handle: datasets.list },
  { method: 'POST', path: '/v2/datasets', scope: 'manage', handle: datasets.create },
  { method: 'GET', path: '/v2/datasets/{name...}', scope: 'read', handle: datasets.get },
  { method: 'GET', path: '/datasets', scope: 'read', handle: datasets.list },
  { method: 'POST', path: '/datasets', scope: 'manage', handle: datasets.create },
  { method: 'GET', path: '/dataset-items', scope: 'read', handle: datasets.listItems },
  { method: 'POST', path: '/dataset-items', scope: 'manage', handle: datasets.putItem },
  { method: 'GET', path: '/dataset-items/{id}', scope: 'read', handle: datasets.getItem },
  { method: 'DELETE', path: '/dataset-items/{id}', scope: 'manage', handle: datasets.removeItem },
  { method: 'GET', path: '/dataset-run-items', scope: 'read', handle: runs.listItems },
  { method: 'POST', path: '/dataset-run-items', scope: 'manage', handle: runs.link },
  { method: 'GET', path: '/datasets/{name}/runs', scope: 'read', handle: runs.list },
  { method: 'GET', path: '/datasets/{name}/runs/{run}', scope: 'read', handle: runs.get },
  { method: 'DELETE', path: '/datasets/{name}/runs/{run}', scope: 'manage', handle: runs.remove },
  { method: 'GET', path: '/traces', scope: 'read', handle: traces.list },
  { method: 'GET', path: '/traces/{id}', scope: 'read', handle: traces.get },
  { method: 'GET', path: '/observations', scope: 'read', handle: traces.listObservations },
  { method: 'GET', path: '/sessions/{id}', scope: 'read', handle: traces.getSession },
  { method: 'POST', path: '/ingestion', scope: 'ingest', success: 207, handle: ingest },
  { method: 'POST', path: '/scores', scope: 'ingest', orScope: 'manage', handle: scores.create },
  { method: 'GET', path: '/scores', scope: 'read', handle: scores.list },
  { method: 'GET', path: '/v2/scores', scope: 'read', handle: scores.list },
  {
    method: 'DELETE',
    path: '/scores/{id}',
    scope: 'ingest',
    orScope: 'manage',
    success: 204,
    handle: scores.remove,
  },
]
