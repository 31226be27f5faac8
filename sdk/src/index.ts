/** The shapes of the interface, for who keeps an answer or passes it on. */
export type * from '@plumbline/contract'
export {
  type ClientOptions,
  createClient,
  createOperations,
  type Plumbline,
  type PromptOptions,
  type RenderedPrompt,
} from './client.ts'
export type { DeliveryStats } from './delivery.ts'
export { type DropReason, RecordDropped, RequestFailed, ServiceUnreachable } from './errors.ts'
export type { ExperimentPlan, ExperimentResult, Judgement, RowResult, ScoreValue } from './experiment.ts'
export type { Mask, MaskedPlace } from './mask.ts'
export type { CallOptions, Operations } from './operations.ts'
export type { ServedPrompt } from './prompt-cache.ts'
export type {
  GenerationFields,
  GenerationRecording,
  LogFields,
  LogRecording,
  Recorded,
  Recording,
  TraceFields,
  TraceRecording,
} from './recording.ts'
export type { Message, Render, Variables } from './render.ts'
export type { ScoreSummary } from './summarize.ts'
