import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, FreeObject, Instant, named, Slug, Warning } from './shapes.ts'

export const columnTypes = ['text', 'image', 'file', 'json'] as const

export const Column = named('Column', 'A column of a dataset.', {
  name: Type.String({ minLength: 1, description: 'Name of the column, unique in its dataset.' }),
  type: Type.Enum([...columnTypes], { description: 'What its values are.' }),
})
export type Column = Static<typeof Column>

export const DatasetRow = named('DatasetRow', 'One case of a dataset.', {
  values: FreeObject('Column name to value. The value of an image or file column is its file key.'),
  name: Type.Optional(Type.String({ description: 'Only when set.' })),
  idealOutput: Type.Optional(Type.String({ description: 'Expected output; only when set.' })),
  metadata: Type.Optional(FreeObject('Only when set.')),
})
export type DatasetRow = Static<typeof DatasetRow>

export const Dataset = named('Dataset', 'A table of cases.', {
  slug: Type.String(),
  name: Type.String(),
  columns: Type.Array(Column),
  rows: Type.Array(DatasetRow),
})
export type Dataset = Static<typeof Dataset>

export const DatasetSummary = named('DatasetSummary', 'A dataset without its rows.', {
  slug: Type.String(),
  name: Type.String(),
  columns: Type.Array(Column),
  rowCount: Type.Integer({ description: 'How many rows it has.' }),
  createdAt: Instant('When it was created.'),
})
export type DatasetSummary = Static<typeof DatasetSummary>

const DatasetSlug = Type.String({ description: 'Slug of the dataset.' })

export const list = operation({
  name: 'datasets.list',
  method: 'GET',
  path: '/datasets',
  summary: 'Lists all datasets, without their rows.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ datasets: Type.Array(DatasetSummary) }),
  errors: [],
})

export const get = operation({
  name: 'datasets.get',
  method: 'GET',
  path: '/datasets/{slug}',
  summary: 'A dataset with all its rows, streamed.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: DatasetSlug }),
  success: 200,
  output: Type.Object({ dataset: Dataset, warning: Warning }),
  errors: ['dataset_not_found'],
})

export const create = operation({
  name: 'datasets.create',
  method: 'POST',
  path: '/datasets',
  summary: 'Creates a dataset, without rows yet.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Slug('Slug of the dataset.'),
    name: Type.String({ minLength: 1, description: 'Name of the dataset.' }),
    columns: Type.Array(Column, { description: 'Its columns; names are unique.' }),
  }),
  success: 201,
  output: Type.Object({ dataset: DatasetSummary }),
  errors: ['invalid_request', 'already_exists'],
})

export const update = operation({
  name: 'datasets.update',
  method: 'PATCH',
  path: '/datasets/{slug}',
  summary: 'Renames a dataset or replaces its columns. Values of a removed column come back with it.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    name: Absentable(Type.String({ minLength: 1, description: 'Its new name.' })),
    columns: Absentable(Type.Array(Column, { description: 'All its columns from now on.' })),
  }),
  success: 200,
  output: Type.Object({ dataset: DatasetSummary }),
  errors: ['invalid_request', 'dataset_not_found'],
})

export const add = operation({
  name: 'datasets.add',
  method: 'POST',
  path: '/datasets/{slug}/items',
  summary: 'Adds a row to a dataset.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    values: FreeObject('Column name to value.'),
    name: Absentable(Type.String({ description: 'Name of the row.' })),
    idealOutput: Absentable(Type.String({ description: 'Expected output.' })),
    metadata: Absentable(FreeObject('Additional data of the row.')),
  }),
  success: 201,
  output: Type.Object({ datasetRow: DatasetRow, warning: Warning }),
  errors: ['invalid_request', 'dataset_not_found'],
})
