/** Versions of datasets, which stay readable when rows change. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor } from '../interface/shapes.ts'
import { Column, DatasetSummary, StoredRow } from './datasets.ts'

export const DatasetVersion = NamedObject('DatasetVersion', 'The state of a dataset at some time.', {
  version: Type.Integer({ description: 'Number within its dataset: 1, 2, 3 ...' }),
  note: Type.String({ description: 'Note; "" for none.' }),
  columns: Type.Array(Column),
  rowCount: Type.Integer({ description: 'Number of rows.' }),
  createdBy: Type.String({ description: 'Id of the API key or person that created it.' }),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
  createdAt: Instant('When it was created.'),
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
    version: Type.Optional(Version('Only this version.')),
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
  summary: 'Creates a version from the current rows and columns of a dataset.',
  notes: [
    'To read it, pass its number as `version` to `datasets.get`, `datasets.rows` or `datasets.export`.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    note: Absentable(Type.String({ maxLength: 2000, description: 'Note for readers.' })),
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
    'The `values` of each row are keyed by the columns of its own version. Rows with equal contents are not listed.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: DatasetSlug,
    from: Version('The earlier version.'),
    to: Type.Optional(Version('The later version; when absent, the dataset as it is now.')),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    columns: Type.Object({
      added: Type.Array(Column),
      removed: Type.Array(Column, {
        description: 'A column whose type or schema changed is listed as removed and added.',
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
  summary: 'Replaces the rows and columns of the dataset with those of a version.',
  notes: [
    'If the current state of the dataset is not a version yet, it becomes one first, so that the restore can be undone.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: DatasetSlug, version: Version('The version.') }),
  success: 200,
  output: Type.Object({
    dataset: DatasetSummary,
    savedVersion: Type.Integer({ description: 'The version with the state before the restore.' }),
  }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})
