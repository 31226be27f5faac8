export { TraceStoreAway } from './errors.ts'
export type * from './rows.ts'
export type * from './store.ts'
