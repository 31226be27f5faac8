export type { TraceStoreLocation } from './engine/clients.ts'
export {
  TraceStoreNewer,
  TraceStoreRefused,
  TraceStoreUnavailable,
  type UnavailableReason,
} from './engine/errors.ts'
export { isLittleMemory } from './engine/memory-limits.ts'
export { countWords } from './filters/words.ts'
export type * from './metrics/metric-types.ts'
export { openTraceStore } from './open.ts'
export { latestRevisions } from './read/scores.ts'
export type * from './rows/row-types.ts'
export type * from './store.ts'
export type * from './types.ts'
export { purgeSteps } from './write/purge.ts'
export type * from './write/write-types.ts'
