/** What the wrappers of model clients share: where a recorded call belongs. */
import type { Plumbline } from './client.ts'
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
  known: GenerationFields,
): RecordedCall {
  const values = { ...known, ...generation, metadata: { ...known.metadata, ...generation?.metadata } }
  const above = parent ?? plumbline.current
  if (above !== undefined) return above.generation(values)
  const trace = plumbline.trace({ name: values.name ?? null, input: values.input })
  const own = trace.generation(values)
  return {
    end(ended) {
      own.end(ended)
      trace.end({ output: ended.output })
    },
  }
}

/** Reads an answer whose form is somebody else's: what is not as expected is not recorded, and never an error. */
export function readLeniently<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read()
  } catch {
    return otherwise
  }
}
