/** What of Langfuse's public API is served; docs/langfuse.md has the same list, and a test compares them. */
import type { LangfuseEndpoint } from './endpoint.ts'
import { ingest } from './ingestion.ts'
import * as projects from './projects.ts'
import * as prompts from './prompts.ts'
import * as scores from './scores.ts'

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
