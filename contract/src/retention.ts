/** How long traces stay. */
import { Type } from 'typebox'
import { operation } from './operation.ts'
import { Nullable } from './shapes.ts'

const days = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description:
      'Days after their arrival for which traces with their logs, and scores, stay; null: for good. Hourly sums stay in any case: they hold no texts.',
  }),
)

export const get = operation({
  name: 'retention.get',
  method: 'GET',
  path: '/retention',
  summary: 'For how long the traces of the workspace stay.',
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
  summary: 'Sets for how long traces stay. What is older goes for good within the hour.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ days }),
  success: 200,
  output: Type.Object({ days }),
  errors: ['invalid_request'],
})
