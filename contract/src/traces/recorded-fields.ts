/** Schemas of the fields that applications send and read back unchanged. */
import { type TOptional, type TUnsafe, Type } from 'typebox'
import { Absentable, Nullable } from '../interface/shapes.ts'
import {
  type RecordedField,
  type RecordedLogFields,
  type RecordedTraceFields,
  recordedLogFields,
  recordedTraceFields,
} from './recorded-values.ts'

type Inputs<Values> = { [Name in keyof Values]: TOptional<TUnsafe<Values[Name] | null>> }
type Outputs<Values> = { [Name in keyof Values]: TUnsafe<Values[Name]> }

const schemaOf = <Values>({ type, description }: RecordedField<Values>) =>
  type === 'list'
    ? Type.Array(Type.String(), { description })
    : type === 'number'
      ? Type.Number({ description })
      : Type.String({ description })

// Safe: the schemas validate the types of the values.
const inputs = <Values>(fields: readonly RecordedField<Values>[]): Inputs<Values> =>
  Object.fromEntries(fields.map((field) => [field.name, Absentable(schemaOf(field))])) as Inputs<Values>

// Safe: as above; a list is never null.
const outputs = <Values>(fields: readonly RecordedField<Values>[]): Outputs<Values> =>
  Object.fromEntries(
    fields.map((field) => [field.name, field.type === 'list' ? schemaOf(field) : Nullable(schemaOf(field))]),
  ) as Outputs<Values>

/** Fields of a trace, in requests and in responses. */
export const recordedTraceInputs: Inputs<RecordedTraceFields> = inputs(recordedTraceFields)
export const recordedTraceOutputs: Outputs<RecordedTraceFields> = outputs(recordedTraceFields)

/** Fields of a generation, in requests and in responses; other logs do not have them. */
export const recordedLogInputs: Inputs<RecordedLogFields> = inputs(recordedLogFields)
// Safe: only made optional.
export const recordedLogOutputs = Object.fromEntries(
  Object.entries(outputs(recordedLogFields)).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof RecordedLogFields]: TOptional<TUnsafe<RecordedLogFields[Name]>> }
