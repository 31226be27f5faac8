/** The measured costs of one trace of 4 logs and 4 KB: docs/performance.md, "Where the time goes". */
export const costs = {
  /** CPU of the main thread before the acknowledgement. */
  acceptUs: 58,
  /** CPU of the worker, of garbage collection, and of the trace store with its merges. */
  drainUs: 58 + 59 + 215,
  /** One write and sync of the spool, shared by all records that wait for it. */
  syncUs: 1500,
  /** In the trace store, compressed, with indexes. */
  storedBytes: 1600,
  receivedBytes: 5000,
  logsPerTrace: 4,
} as const

/** Measured by `scripts/bench/shared-spool.ts` on two cores shared with other programs: docs/scale.md, "Several nodes". */
export const measuredSharedSpool = [
  {
    records: 'traces',
    oneNode: { recordUs: 49 + 34, recordsPerSecond: 2665 },
    threeNodes: { recordUs: 59 + 27, recordsPerSecond: 5477 },
  },
  {
    records: 'exports of OpenTelemetry',
    oneNode: { recordUs: 66 + 27, recordsPerSecond: 2072 },
    threeNodes: { recordUs: 87 + 27, recordsPerSecond: 6435 },
  },
] as const
