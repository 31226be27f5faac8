/** The trace fields that lists sort by, and that metrics group by and measure. */
import { fieldEntries, type TraceField, type TraceFieldName, type TraceFields } from './trace-fields.ts'

/** The names that fields have in one of their properties. */
type NamesIn<Property extends 'dimension' | 'exportColumn'> = {
  [Name in TraceFieldName]: TraceFields[Name] extends Readonly<Record<Property, infer Value>> ? Value : never
}[TraceFieldName]

export type FieldDimension = NamesIn<'dimension'>
export type ExportedName = NamesIn<'exportColumn'>
export type TraceSort = {
  [Name in TraceFieldName]: TraceFields[Name] extends { sort: infer Sort extends string } ? Sort : never
}[TraceFieldName]

/** Dimensions of metrics, besides those of scores and `metadata.KEY`. */
export const fieldDimensions = fieldEntries.flatMap(([, { dimension }]) =>
  // Safe: the table says so.
  dimension === undefined ? [] : [dimension as FieldDimension],
)

/** Sort keys of trace lists. */
export const traceSorts = fieldEntries.flatMap(([, { sort }]) =>
  // Safe: the table says so.
  sort === undefined ? [] : [sort as TraceSort],
)

const statistics = ['avg', 'p50', 'p95', 'p99'] as const
type Statistic = (typeof statistics)[number]
type DistributedName = {
  [Name in TraceFieldName]: TraceFields[Name] extends { distribution: string } ? Name : never
}[TraceFieldName]

/** The mean or a percentile of a field: `p95DurationMs`. */
export type DistributionMeasure = `${Statistic}${Capitalize<DistributedName>}`

/** The field and the statistic of each distribution measure. */
export const distributionMeasures: ReadonlyMap<
  DistributionMeasure,
  { readonly field: TraceField; readonly statistic: Statistic }
> = new Map(
  fieldEntries.flatMap(([name, field]) =>
    field.distribution === undefined
      ? []
      : statistics.map(
          (statistic) =>
            [
              // Safe: the fields with a distribution are those that the type is made of.
              `${statistic}${name.slice(0, 1).toUpperCase()}${name.slice(1)}` as DistributionMeasure,
              { field, statistic },
            ] as const,
        ),
  ),
)
