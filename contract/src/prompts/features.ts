import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject, Slug } from '../interface/shapes.ts'

export const Feature = NamedObject(
  'Feature',
  'A part of your product that traces, prompts and experiments belong to.',
  {
    slug: Slug('Slug of the feature.'),
    name: Type.String({ description: 'Name of the feature.' }),
    description: Type.Optional(Type.String({ description: 'What the feature does.' })),
    createdAt: Instant('When it was created.'),
  },
)
export type Feature = Static<typeof Feature>

export const list = operation({
  name: 'features.list',
  method: 'GET',
  path: '/features',
  summary: 'Lists all features.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ features: Type.Array(Feature) }),
  errors: [],
})

export const create = operation({
  name: 'features.create',
  method: 'POST',
  path: '/features',
  summary: 'Creates a feature.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Slug('Slug of the feature.'),
    name: Type.String({ minLength: 1, description: 'Name of the feature.' }),
    description: Absentable(Type.String({ description: 'What the feature does.' })),
  }),
  success: 201,
  output: Type.Object({ feature: Feature }),
  errors: ['invalid_request', 'already_exists'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'features.delete',
  method: 'DELETE',
  path: '/features/{slug}',
  summary: 'Deletes a feature that has no prompts and no experiments. Its traces keep the slug.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: Slug('Slug of the feature.') }),
  success: 204,
  output: null,
  errors: ['invalid_request', 'feature_not_found', 'feature_in_use'],
})

export { remove as delete }
