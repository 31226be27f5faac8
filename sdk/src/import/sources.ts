import { braintrust } from './braintrust.ts'
import { helicone } from './helicone.ts'
import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import { mlflow } from './mlflow.ts'
import { opik } from './opik.ts'
import { otlp } from './otlp.ts'
import { phoenix } from './phoenix.ts'
import type { JsonRecord, Source } from './shapes.ts'

/** The systems whose exports can be read, those with the most specific detection first. */
export const sources: readonly Source[] = [
  otlp,
  braintrust,
  mlflow,
  phoenix,
  langsmith,
  helicone,
  langfuse,
  opik,
]

/** The system that a record comes from, if it looks like one of them. */
export const sourceOf = (record: JsonRecord): Source | undefined =>
  sources.find((source) => source.recognises(record))
