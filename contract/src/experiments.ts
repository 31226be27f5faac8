import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Cursor, Instant, Limit, NextCursor, named } from './shapes.ts'

export const Experiment = named('Experiment', 'A set of traces to compare with another.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  featureSlug: Type.String({ description: 'The feature that is tried.' }),
  createdAt: Instant('When it was created.'),
})
export type Experiment = Static<typeof Experiment>

export const list = operation({
  name: 'experiments.list',
  method: 'GET',
  path: '/monitor/experiments',
  summary: 'Lists the experiments, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    featureSlug: Type.Optional(Type.String({ description: 'Only the experiments of this feature.' })),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ experiments: Type.Array(Experiment), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'experiments.get',
  method: 'GET',
  path: '/monitor/experiments/{id}',
  summary: 'One experiment.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the experiment.' }) }),
  success: 200,
  output: Type.Object({ experiment: Experiment }),
  errors: ['experiment_not_found'],
})

export const create = operation({
  name: 'experiments.create',
  method: 'POST',
  path: '/monitor/experiments',
  summary: 'Creates an experiment; traces name it to be appended to it.',
  scope: 'ingest',
  role: 'editor',
  input: Type.Object({
    featureSlug: Type.String({ description: 'The feature that is tried.' }),
    name: Type.String({ minLength: 1, description: 'Name of the experiment.' }),
  }),
  success: 200,
  output: Experiment,
  errors: ['invalid_request', 'feature_not_found'],
})
