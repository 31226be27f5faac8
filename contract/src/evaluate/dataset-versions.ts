/** Versions of datasets: what a dataset was stays readable when its rows change. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor } from '../interface/shapes.ts'
import { Column, DatasetSummary, StoredRow } from './datasets.ts'

export const DatasetVersion = NamedObject('DatasetVersion', 'What a dataset was at some time.', {
  version: Type.Integer({ description: '1, 2, 3 ... within its dataset.' }),
  note: Type.String({ description: '"" for none.' }),
  columns: Type.Array(Column),
  rowCount: Type.Integer({ description: 'How many rows it has.' }),
  createdBy: Type.String({ description: 'Id of the API key or person.' }),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
  createdAt: Instant('When it was made.'),
})
export type DatasetVersion = Static<typeof DatasetVersion>

const DatasetSlug = Type.String({ description: 'Slug of the dataset.' })
const Version = (description: string) => Type.Integer({ minimum: 1, description })

export const list = operation({
  name: 'datasetVersions.list',
  method: 'GET',
  path: '/datasets/{slug}/versions',
  summary: 'Lists the versions of a dataset, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: DatasetSlug,
    version: Type.Optional(Version('Only this one.')),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    versions: Type.Array(DatasetVersion),
    hasChanges: Type.Boolean({ description: 'Whether the dataset differs from its latest version.' }),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'dataset_not_found'],
})

export const create = operation({
  name: 'datasetVersions.create',
  method: 'POST',
  path: '/datasets/{slug}/versions',
  summary: 'Makes a version of the rows and columns of a dataset as they are now.',
  notes: ['`version` of `datasets.get`, `datasets.rows` and `datasets.export` reads it.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    note: Absentable(Type.String({ maxLength: 2000, description: 'What it is, for people.' })),
  }),
  success: 201,
  output: Type.Object({ version: DatasetVersion }),
  errors: ['invalid_request', 'dataset_not_found'],
})

const Difference = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the row.' }),
  change: Type.Enum(['added', 'removed', 'changed']),
  before: Type.Optional(StoredRow),
  after: Type.Optional(StoredRow),
})

export const compare = operation({
  name: 'datasetVersions.compare',
  method: 'GET',
  path: '/datasets/{slug}/versions/compare',
  summary: 'Lists the rows that differ between two versions of a dataset, in their order.',
  notes: [
    'Each row of the list has its `values` by the columns of its own version. Rows whose contents are equal are not listed.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: DatasetSlug,
    from: Version('The version before.'),
    to: Type.Optional(Version('The version after; the dataset as it is now when absent.')),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    columns: Type.Object({
      added: Type.Array(Column),
      removed: Type.Array(Column, {
        description: 'A column of another type or schema is removed and added.',
      }),
    }),
    rows: Type.Array(Difference),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})

export const restore = operation({
  name: 'datasetVersions.restore',
  method: 'POST',
  path: '/datasets/{slug}/versions/restore',
  summary: 'Makes the rows and columns of a version those of the dataset.',
  notes: [
    'What the dataset had before becomes a version first if it is none yet, so that this can be undone.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: DatasetSlug, version: Version('The version.') }),
  success: 200,
  output: Type.Object({
    dataset: DatasetSummary,
    savedVersion: Type.Integer({ description: 'The version that has what the dataset was before.' }),
  }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})
