import { isDeepStrictEqual } from 'node:util'
import { type InputOf, type operations, ServiceError } from '@plumbline/contract'
import type { DatasetRow } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { enforceSchemas, withMismatches } from '../columns/check-cells.ts'
import { omittedOnAdding, toStoredRow } from './row.ts'

export const change: Verb<typeof operations.datasets.change> = async (
  { slug, id, values, name, idealOutput, metadata, split, labels, expected },
  { workspace },
) => {
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const problems = enforceSchemas(dataset.columns, values ?? {}, 'values')
  const changed = await mapStorageErrors(
    workspace.datasetRows.update(slug, id, {
      ...(expected === undefined
        ? {}
        : {
            check: (row) =>
              checkExpected(row, expected, { values, name, idealOutput, metadata, split, labels }),
          }),
      // Set individually, so that two users who edit two cells of a row both succeed.
      ...(values === undefined ? {} : { values: (current) => withValues(current, values) }),
      name,
      idealOutput,
      metadata: metadata == null ? metadata : JSON.stringify(metadata),
      split,
      labels,
    }),
    slug,
  )
  const { row } = toStoredRow(changed, dataset.columns)
  const unknown = Object.keys(values ?? {}).filter((column) => !(column in row.values))
  return { row, ...withMismatches(omittedOnAdding(unknown), problems) }
}

type ExpectedFields = NonNullable<InputOf<typeof operations.datasets.change>['expected']>

/**
 * Two users may edit the same field: the second one gets an error instead of overwriting the first. A field that already has
 * the new value was changed by an earlier attempt whose response was lost.
 */
function checkExpected(
  row: DatasetRow,
  { values = {}, ...parts }: ExpectedFields,
  { values: newValues = {}, ...newParts }: ExpectedFields,
): void {
  const current = parseJsonText(row.values) as Record<string, unknown>
  const storedFields: Readonly<Record<string, unknown>> = {
    name: row.name,
    idealOutput: row.idealOutput,
    metadata: row.metadata == null ? null : parseJsonText(row.metadata),
    split: row.split,
    labels: row.labels.length === 0 ? null : row.labels,
  }
  const differs = (a: unknown, b: unknown): boolean => !isDeepStrictEqual(a ?? null, b ?? null)
  const isChanged = (expectedValue: unknown, newValue: unknown, storedValue: unknown): boolean =>
    differs(expectedValue, storedValue) && (newValue === undefined || differs(newValue, storedValue))
  const fields = [
    ...Object.keys(values).filter((column) => isChanged(values[column], newValues[column], current[column])),
    ...Object.entries(parts).flatMap(([name, value]) =>
      isChanged(value, newParts[name as keyof typeof newParts], storedFields[name]) ? [name] : [],
    ),
  ]
  if (fields.length > 0) throw new ServiceError('row_changed', { fields: fields.join(', ') })
}

/** Safe: the values of a row were a JSON object when they were stored. */
const withValues = (current: string, values: Record<string, unknown>): string =>
  JSON.stringify(
    Object.fromEntries([
      ...Object.entries(parseJsonText(current) as Record<string, unknown>),
      ...Object.entries(values),
    ]),
  )
