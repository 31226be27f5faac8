/** How long traces stay. */
import { Type } from 'typebox'
import { operation } from './operation.ts'
import { Nullable } from './shapes.ts'

const days = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description:
      'Number of days after arrival for which traces with their logs, and scores, are kept; null: forever. Hourly sums are always kept; they contain no texts.',
  }),
)

export const get = operation({
  name: 'retention.get',
  method: 'GET',
  path: '/retention',
  summary: 'Returns how long the workspace keeps its traces.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ days }),
  errors: [],
})

export const update = operation({
  name: 'retention.update',
  method: 'PATCH',
  path: '/retention',
  summary:
    'Sets how long the workspace keeps its traces. Older traces are deleted permanently within the hour.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ days }),
  success: 200,
  output: Type.Object({ days }),
  errors: ['invalid_request'],
})
