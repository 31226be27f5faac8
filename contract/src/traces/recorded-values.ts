/** The values of fields that applications send, which are stored and returned as they are. */
import { fieldEntries, type TraceField, type TraceFieldName, type TraceFields } from './trace-fields.ts'

type ValueOf<Type> = Type extends 'text' ? string | null : Type extends 'list' ? string[] : number | null

/** What applications send of a trace, in the form in which it is stored: null or an empty list where it is absent. */
export type RecordedTraceFields = {
  [Name in TraceFieldName as TraceFields[Name] extends {
    recordedField: { name: infer Recorded extends string }
    column: string
  }
    ? Recorded
    : never]: ValueOf<TraceFields[Name]['type']>
}

/** The same of a generation. */
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
  // Safe: each field has the value of its type, or what is stored where there is none.
  return values as Values
}
