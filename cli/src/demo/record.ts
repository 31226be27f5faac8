/** Sends planned records with bounded concurrency; only those in flight are in memory. */
import type { Client } from './client.ts'
import type { PlannedRecord } from './scene.ts'

export interface RecordCounts {
  traces: number
  scores: number
  /** Unexpected warnings of the service, with their counts. */
  readonly warnings: Map<string, number>
  /** Warnings about edge cases, which are expected. */
  expectedWarnings: number
}

/** Requests in flight. */
const concurrency = 32

/** Sends all records, and calls `onRecord` after each. */
export async function record(
  client: Client,
  records: Iterable<PlannedRecord>,
  onRecord: () => void,
): Promise<RecordCounts> {
  const recorded: RecordCounts = { traces: 0, scores: 0, warnings: new Map(), expectedWarnings: 0 }
  // All senders share one iterator: each takes the next record when it is free.
  const iterator = records[Symbol.iterator]()
  const runSender = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      await sendOne(client, next.value, recorded)
      onRecord()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runSender))
  return recorded
}

async function sendOne(client: Client, record: PlannedRecord, results: RecordCounts): Promise<void> {
  const { trace, warning } =
    record.type === 'trace' ? await client.monitor.trace(record.body) : await client.monitor.log(record.body)
  results.traces++
  if (warning != null) {
    if (record.isOdd) results.expectedWarnings++
    else results.warnings.set(warning, (results.warnings.get(warning) ?? 0) + 1)
  }
  for (const score of record.scores) {
    await client.scores.create({ ...score, traceId: trace.id })
    results.scores++
  }
}
