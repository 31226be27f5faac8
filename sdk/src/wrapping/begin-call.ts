/** Shared by the wrappers of model clients: where recorded calls belong. */
import type { Plumbline } from '../client/client.ts'
import type { GenerationFields, GenerationRecording, Recording } from '../recording/recording.ts'

export interface WrapOptions {
  readonly plumbline: Pick<Plumbline, 'start'>
  /** The trace or log that calls belong to; by default the current one, or else each call is a trace. */
  readonly parent?: Recording
  /** Fields of every call, such as name, provider, prompt and variables. */
  readonly generation?: Partial<GenerationFields>
}

/** Starts the recording of a call. */
export function beginCall(
  { plumbline, parent, generation }: WrapOptions,
  fields: GenerationFields,
): GenerationRecording {
  const values = { ...fields, ...generation, metadata: { ...fields.metadata, ...generation?.metadata } }
  return plumbline.start('generation', values, { parent })
}

/** Starts the span of a call that calls the model several times. Fields about the model belong to each of these calls. */
export function beginSteps(
  { plumbline, parent, generation }: WrapOptions,
  { name, input, metadata }: GenerationFields,
): GenerationRecording {
  const values: GenerationFields = {
    name: generation?.name ?? name ?? null,
    input,
    ...(metadata && { metadata }),
  }
  return plumbline.start('span', values, { parent })
}

/** Reads a response of another service: unexpected forms are not recorded, and are never an error. */
export function readLeniently<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read()
  } catch {
    return fallback
  }
}
