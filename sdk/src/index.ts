/** The types of the interface, for code that stores or passes on responses. */
export type * from '@plumbline/contract'
export {
  type ClientOptions,
  createClient,
  type Plumbline,
  type PromptOptions,
  type RenderedPrompt,
} from './client/client.ts'
export { type DropReason, RecordDropped, RequestFailed, ServiceUnreachable } from './client/errors.ts'
export { type CallOptions, createOperations, type Operations } from './client/operations.ts'
export type { ServedPrompt } from './client/prompt-cache.ts'
export type { ScoreSummary } from './client/summarize.ts'
export type { ExperimentPlan, ExperimentResult, Judgement, RowResult, ScoreValue } from './experiment.ts'
export type { DeliveryStats } from './recording/delivery.ts'
export type { Mask, MaskedPlace } from './recording/mask.ts'
export type { ObserveOptions } from './recording/observe-function.ts'
export type {
  GenerationFields,
  GenerationRecording,
  LogFields,
  LogRecording,
  LogType,
  Recording,
  RecordResponse,
  TraceFields,
  TraceRecording,
} from './recording/recording.ts'
export type { TraceParent } from './recording/span-context.ts'
export type { Message, Render, Variables } from './render.ts'
