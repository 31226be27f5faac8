/** The values of fields that are stored and returned exactly as applications sent them. */
import { fieldEntries, type TraceField, type TraceFieldName, type TraceFields } from './trace-fields.ts'

type ValueOf<Type> = Type extends 'text' ? string | null : Type extends 'list' ? string[] : number | null

/** The fields of a trace that applications send, as stored: null or an empty list if absent. */
export type RecordedTraceFields = {
  [Name in TraceFieldName as TraceFields[Name] extends {
    recordedField: { name: infer Recorded extends string }
    column: string
  }
    ? Recorded
    : never]: ValueOf<TraceFields[Name]['type']>
}

/** The same for a generation. */
export type RecordedLogFields = {
  [Name in TraceFieldName as TraceFields[Name] extends { column: string }
    ? never
    : TraceFields[Name] extends { recordedField: { name: infer Recorded extends string } }
      ? Recorded
      : never]: ValueOf<TraceFields[Name]['type']>
}

export interface RecordedField<Values> {
  readonly name: keyof Values & string
  readonly type: TraceField['type']
  readonly column: string
  readonly description: string
}

export const recordedTraceFields: readonly RecordedField<RecordedTraceFields>[] = fieldEntries.flatMap(
  ([, { recordedField, column, type }]) =>
    recordedField === undefined || column === undefined
      ? []
      : // Safe: `RecordedTraceFields` has these names.
        [{ ...recordedField, type, column } as RecordedField<RecordedTraceFields>],
)

export const recordedLogFields: readonly RecordedField<RecordedLogFields>[] = fieldEntries.flatMap(
  ([, { recordedField, column, logColumn, type }]) =>
    recordedField === undefined || column !== undefined || logColumn === undefined
      ? []
      : // Safe: `RecordedLogFields` has these names.
        [{ ...recordedField, type, column: logColumn } as RecordedField<RecordedLogFields>],
)

/** An object with a value for each recorded field. */
export function recordedValues<Values>(
  fields: readonly RecordedField<Values>[],
  read: (name: keyof Values & string) => unknown,
): Values {
  const values: Record<string, unknown> = {}
  for (const { name, type } of fields) values[name] = read(name) ?? (type === 'list' ? [] : null)
  // Safe: each field has a value of its type, or the stored form of an absent value.
  return values as Values
}
