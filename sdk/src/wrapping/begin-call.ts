/** What the wrappers of model clients share: where a recorded call belongs. */
import type { Plumbline } from '../client/client.ts'
import type { GenerationFields, GenerationRecording, Recording } from '../recording/recording.ts'

export interface WrapOptions {
  readonly plumbline: Pick<Plumbline, 'start'>
  /** The trace or log that the calls belong to; the current one by default, and without one each call is a trace. */
  readonly parent?: Recording
  /** What is known of every call, such as its name, provider, prompt and variables. */
  readonly generation?: Partial<GenerationFields>
}

/** Begins the recording of a call. */
export function beginCall(
  { plumbline, parent, generation }: WrapOptions,
  fields: GenerationFields,
): GenerationRecording {
  const values = { ...fields, ...generation, metadata: { ...fields.metadata, ...generation?.metadata } }
  return plumbline.start('generation', values, { parent })
}

/** Begins the span of a call that calls the model several times: what is known of a model is known of each of these. */
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

/** Reads an answer whose form is somebody else's: what is not as expected is not recorded, and never an error. */
export function readLeniently<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read()
  } catch {
    return fallback
  }
}
