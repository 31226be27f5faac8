import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  FreeObject,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Slug,
  Warning,
} from '../interface/shapes.ts'

/** Formats of row exports. */
export const rowFormats = ['jsonl', 'json', 'csv', 'parquet'] as const

export const columnTypes = ['text', 'image', 'file', 'json'] as const

export const Column = NamedObject('Column', 'A column of a dataset.', {
  name: Type.String({ minLength: 1, description: 'Name of the column, unique in its dataset.' }),
  type: Type.Enum([...columnTypes], { description: 'Type of its values.' }),
  schema: Type.Optional(
    FreeObject(
      'JSON Schema of its values; present only if set. Keywords: `type`, `enum`, `const`, `minLength`, `maxLength`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `items`, `minItems`, `maxItems`, `properties`, `required`, `additionalProperties`, `anyOf` and `allOf`. Empty cells are not checked.',
    ),
  ),
  onMismatch: Type.Optional(
    Type.Enum(['warn', 'reject'], {
      description:
        'Whether a value that does not match the schema is stored with a warning, or the request is rejected; present only if set, otherwise `warn`.',
    }),
  ),
})
export type Column = Static<typeof Column>

/** Labels are stored as one text of quoted names, in which a search looks for a label, so they must not contain the separators. */
const labelPattern = '^[^",\\\\\\s]([^",\\\\\\n\\r\\t]*[^",\\\\\\s])?$'

const Split = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: labelPattern,
  description: 'Split of the row, such as `train`, `validation` or `test`.',
})

const Label = Type.String({ minLength: 1, maxLength: 64, pattern: labelPattern })

const Labels = Type.Array(Label, {
  maxItems: 20,
  description: 'Labels for filtering rows; returned without duplicates, in alphabetical order.',
})

/** The filters that select rows. */
const selection = {
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Number of a version; when absent, the rows as they are now.' }),
  ),
  split: Type.Optional(Type.String({ description: 'Only rows in this split.' })),
  label: Type.Optional(Type.String({ description: 'Only rows with this label.' })),
}

/** The full-text search of rows. */
const searchedRows = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Only rows that contain this text, ignoring case, in a value, the ideal output, the name, the metadata, the split or a label. Values other than texts are searched as JSON, and within the texts that they contain.',
    }),
  ),
}

export const DatasetRow = NamedObject('DatasetRow', 'One case of a dataset.', {
  values: FreeObject('Values by column name. The value in an image or file column is a file key.'),
  name: Type.Optional(Type.String({ description: 'Present only if set.' })),
  idealOutput: Type.Optional(Type.String({ description: 'Expected output; present only if set.' })),
  metadata: Type.Optional(FreeObject('Present only if set.')),
  split: Type.Optional(Type.String({ description: 'Present only if set.' })),
  labels: Type.Optional(Type.Array(Type.String(), { description: 'Present only if set.' })),
})
export type DatasetRow = Static<typeof DatasetRow>

export const Dataset = NamedObject('Dataset', 'A table of cases.', {
  slug: Type.String(),
  name: Type.String(),
  columns: Type.Array(Column),
  rows: Type.Array(DatasetRow),
})
export type Dataset = Static<typeof Dataset>

export const DatasetSummary = NamedObject('DatasetSummary', 'A dataset without its rows.', {
  slug: Type.String(),
  name: Type.String(),
  columns: Type.Array(Column),
  rowCount: Type.Integer({ description: 'Number of rows.' }),
  createdAt: Instant('When it was created.'),
})
export type DatasetSummary = Static<typeof DatasetSummary>

export const StoredRow = NamedObject('StoredRow', 'One case of a dataset, with its id.', {
  id: Type.String({ format: 'uuid' }),
  values: FreeObject('Values by column name; values without a column are left out.'),
  name: Type.Optional(Type.String({ description: 'Present only if set.' })),
  idealOutput: Type.Optional(Type.String({ description: 'Expected output; present only if set.' })),
  metadata: Type.Optional(FreeObject('Present only if set.')),
  split: Type.Optional(Type.String({ description: 'Present only if set.' })),
  labels: Type.Optional(Type.Array(Type.String(), { description: 'Present only if set.' })),
  problems: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Why values do not match the schemas of their columns, by column name; present only if some do not match.',
    }),
  ),
  createdAt: Instant('When it was added.'),
})
export type StoredRow = Static<typeof StoredRow>

const newRow = {
  values: Type.Unsafe<Record<string, unknown>>({
    ...FreeObject('Values by column name; at least one.'),
    minProperties: 1,
  }),
  name: Absentable(Type.String({ description: 'Name of the row.' })),
  idealOutput: Absentable(Type.String({ description: 'Expected output.' })),
  metadata: Absentable(FreeObject('Additional data about the row.')),
  split: Absentable(Split),
  labels: Absentable(Labels),
}

const RowId = Absentable(
  Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'Id of the row, a UUID; a new one when absent. An existing row with this id is replaced.',
  }),
)

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
  summary: 'Streams a dataset with all its rows, or with those of a version, a split or a label.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: DatasetSlug, ...selection }),
  ignoresUnknownQuery: true,
  success: 200,
  output: Type.Object({ dataset: Dataset, warning: Warning }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})

export const create = operation({
  name: 'datasets.create',
  method: 'POST',
  path: '/datasets',
  summary: 'Creates a dataset without rows.',
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
  summary:
    'Renames a dataset, or renames or replaces its columns. The values of a removed column are kept, and return if the column is added again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    name: Absentable(Type.String({ minLength: 1, description: 'Its new name.' })),
    columns: Absentable(Type.Array(Column, { description: 'All its new columns.' })),
    renames: Absentable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', minLength: 1 },
        description:
          'New column names by old ones; the values in all rows move with the columns. Not allowed together with `columns`.',
      }),
    ),
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
    ...newRow,
  }),
  success: 201,
  output: Type.Object({ datasetRow: DatasetRow, warning: Warning }),
  errors: ['invalid_request', 'dataset_not_found'],
})

export const rows = operation({
  name: 'datasets.rows',
  method: 'GET',
  path: '/datasets/{slug}/items',
  summary: 'Lists the rows of a dataset with their ids, in the order they were added.',
  notes: [
    'With `q`, a page may have fewer rows than `limit`, or none, and still a `nextCursor`: each request searches at most 20,000 rows or 50 million characters.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: DatasetSlug,
    ...selection,
    ...searchedRows,
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ rows: Type.Array(StoredRow), nextCursor: NextCursor }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})

const Facet = Type.Object({
  name: Type.String(),
  count: Type.Integer({ description: 'Number of rows with it.' }),
})

export const facets = operation({
  name: 'datasets.facets',
  method: 'GET',
  path: '/datasets/{slug}/facets',
  summary: 'Counts the selected rows, and lists their splits and labels, most frequent first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: DatasetSlug, ...selection, ...searchedRows }),
  success: 200,
  output: Type.Object({
    rowCount: Type.Integer({ description: 'Number of selected rows.' }),
    splits: Type.Array(Facet),
    labels: Type.Array(Facet),
  }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})

export const append = operation({
  name: 'datasets.append',
  method: 'POST',
  path: '/datasets/{slug}/items/bulk',
  summary: 'Adds rows to a dataset, in the order of the request; either all of them or none.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    rows: Type.Array(Type.Object({ id: RowId, ...newRow }), {
      minItems: 1,
      maxItems: 1000,
      description: '1 to 1000 rows.',
    }),
  }),
  success: 201,
  output: Type.Object({
    ids: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'Ids of the rows, in the order of the request.',
    }),
    problems: Type.Optional(
      Type.Array(
        Type.Object({
          row: Type.Integer({ description: 'Index of the row in the request.' }),
          column: Type.String(),
          problem: Type.String(),
        }),
        {
          description: 'Values that do not match the schema of their column; present only if there are any.',
        },
      ),
    ),
    warning: Warning,
  }),
  errors: ['invalid_request', 'dataset_not_found'],
})

export const collect = operation({
  name: 'datasets.collect',
  method: 'POST',
  path: '/datasets/{slug}/items/from-traces',
  summary: 'Adds a row for each trace or log in the request. The `metadata` of the row records its source.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    sources: Type.Array(
      Type.Object({
        traceId: Type.String({ description: 'The trace.' }),
        logId: Absentable(Type.String({ description: 'The log in it; the trace itself when absent.' })),
      }),
      { minItems: 1, maxItems: 100, description: 'The traces or logs: 1 to 100.' },
    ),
    mapping: Absentable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description:
          'The source of each column, by its name: `input`, `output`, `idealOutput`, `metadata`, `variables`, or a path into one, such as `input.question`. When absent, a column gets the field of the input with its name; if no column has such a field, the first column gets the whole input.',
      }),
    ),
    idealOutput: Absentable(
      Type.String({
        description:
          'Source of the ideal output, as in `mapping`; when absent, the ideal output of the trace or log.',
      }),
    ),
  }),
  success: 201,
  output: Type.Object({
    ids: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'Ids of the rows, in the order of the sources.',
    }),
    warning: Warning,
  }),
  errors: ['invalid_request', 'dataset_not_found', 'trace_not_found', 'log_not_found'],
})

export const change = operation({
  name: 'datasets.change',
  method: 'PATCH',
  path: '/datasets/{slug}/items/{id}',
  summary:
    'Changes a row. The fields in the request replace the old ones; null removes the name, ideal output, metadata, split or labels.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    id: Type.String({ description: 'Id of the row.' }),
    values: Type.Optional(FreeObject('Values to set, by column name; other values stay.')),
    name: Absentable(Type.String({ description: 'Name of the row.' })),
    idealOutput: Absentable(Type.String({ description: 'Expected output.' })),
    metadata: Absentable(FreeObject('The new additional data, complete.')),
    split: Absentable(Split),
    labels: Absentable(Labels),
    expected: Type.Optional(
      Type.Object(
        {
          values: Type.Optional(FreeObject('Values by column name; null if there was none.')),
          name: Absentable(Type.String()),
          idealOutput: Absentable(Type.String()),
          metadata: Absentable(FreeObject('The additional data, complete.')),
          split: Absentable(Type.String()),
          labels: Absentable(Type.Array(Type.String())),
        },
        {
          description:
            'The values that fields had when you read them. If one of them has changed since, nothing is saved and the response is 409. A field that already has the value in the request is not a conflict.',
        },
      ),
    ),
  }),
  success: 200,
  output: Type.Object({ row: StoredRow, warning: Warning }),
  errors: ['invalid_request', 'dataset_not_found', 'row_not_found', 'row_changed'],
})

export const discard = operation({
  name: 'datasets.discard',
  method: 'POST',
  path: '/datasets/{slug}/items/discard',
  summary: 'Deletes rows of a dataset permanently. Unknown ids are ignored.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DatasetSlug,
    ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1000,
      description: 'The rows to delete: 1 to 1000 ids.',
    }),
  }),
  success: 200,
  output: Type.Object({ discarded: Type.Integer({ description: 'Number of rows deleted.' }) }),
  errors: ['invalid_request', 'dataset_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'datasets.delete',
  method: 'DELETE',
  path: '/datasets/{slug}',
  summary: 'Deletes a dataset with all its rows and versions permanently.',
  notes: ['Traces and scores stay as they are.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: DatasetSlug }),
  success: 204,
  output: null,
  errors: ['dataset_not_found'],
})

/** Exported as `export`, a reserved word. */
const exportRows = operation({
  name: 'datasets.export',
  method: 'GET',
  path: '/datasets/{slug}/export',
  summary:
    'Streams the rows of a dataset as a file: all of them, or those of a version, a split, a label or a search. JSONL and JSON have the rows as `datasets.get` returns them. CSV and Parquet have the columns of the dataset, followed by `idealOutput`, `name`, `metadata`, `split` and `labels` (separated by commas); the last two are left out if a column has the same name.',
  scope: 'read',
  role: 'viewer',
  audit: 'sensitive read',
  input: Type.Object({
    slug: DatasetSlug,
    ...selection,
    ...searchedRows,
    format: Type.Enum([...rowFormats], { description: 'Format of the file.' }),
  }),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  errors: ['invalid_request', 'dataset_not_found', 'dataset_version_not_found'],
})

export { exportRows as export, remove as delete }
