/** Sends what was planned, many at a time, and never holds more than is under way. */
import type { Client } from './client.ts'
import type { PlannedRecord } from './scene.ts'

export interface Recorded {
  traces: number
  scores: number
  /** How often the service warned, by sentence, of what was not meant to be odd. */
  readonly warnings: Map<string, number>
  /** How many odd ones it warned of, as it should. */
  expectedWarnings: number
}

/** How many requests are under way at a time. */
const atATime = 32

/** Sends all records; `onSent` is told after each. */
export async function record(
  client: Client,
  records: Iterable<PlannedRecord>,
  onSent: () => void,
): Promise<Recorded> {
  const recorded: Recorded = { traces: 0, scores: 0, warnings: new Map(), expectedWarnings: 0 }
  // One iterator for all senders: each takes the next record when it is free.
  const rest = records[Symbol.iterator]()
  const sendOnAndOn = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      await sendOne(client, next.value, recorded)
      onSent()
    }
  }
  await Promise.all(Array.from({ length: atATime }, sendOnAndOn))
  return recorded
}

async function sendOne(client: Client, planned: PlannedRecord, recorded: Recorded): Promise<void> {
  const { trace, warning } =
    planned.of === 'trace' ? await client.monitor.trace(planned.body) : await client.monitor.log(planned.body)
  recorded.traces++
  if (warning != null) {
    if (planned.isOdd) recorded.expectedWarnings++
    else recorded.warnings.set(warning, (recorded.warnings.get(warning) ?? 0) + 1)
  }
  for (const score of planned.scores) {
    await client.scores.create({ ...score, traceId: trace.id })
    recorded.scores++
  }
}
