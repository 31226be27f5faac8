/** What the wrappers of model clients share: where a recorded call belongs. */
import type { Plumbline } from '../client/client.ts'
import type { GenerationFields, Recording } from './recording.ts'

export interface WrapOptions {
  readonly plumbline: Pick<Plumbline, 'trace' | 'current'>
  /** The trace or log that the calls belong to; the current one by default, and without one each call is a trace. */
  readonly parent?: Recording
  /** What is known of every call, such as its name, provider, prompt and variables. */
  readonly generation?: Partial<GenerationFields>
}

/** A recorded call; ended once, with what became known. */
export interface RecordedCall {
  end(values: Partial<GenerationFields>): void
}

export function beginCall(
  { plumbline, parent, generation }: WrapOptions,
  fields: GenerationFields,
): RecordedCall {
  const values = { ...fields, ...generation, metadata: { ...fields.metadata, ...generation?.metadata } }
  const enclosing = parent ?? plumbline.current
  if (enclosing !== undefined) return enclosing.generation(values)
  const trace = plumbline.trace({ name: values.name ?? null, input: values.input })
  const own = trace.generation(values)
  return {
    end(endValues) {
      own.end(endValues)
      trace.end({ output: endValues.output })
    },
  }
}

/** Reads an answer whose form is somebody else's: what is not as expected is not recorded, and never an error. */
export function readLeniently<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read()
  } catch {
    return fallback
  }
}
