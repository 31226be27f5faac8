import type { AssemblyStore } from '@plumbline/storage/control'
import type { SampledTrace } from '../../../ingest/monitor/judged-references.ts'
import type { Enqueue } from '../enqueue.ts'

const settledMax = 500

/**
 * Enqueues the evaluations of settled OpenTelemetry traces. After a crash between the two steps the first one runs again,
 * which adds nothing.
 */
export async function queueSettled(
  counters: Pick<AssemblyStore, 'settled' | 'queued'>,
  add: Enqueue['add'],
  now: Date,
): Promise<void> {
  for (;;) {
    const settled = await counters.settled(now, settledMax)
    if (settled.length === 0) return
    // Safe: the assembler wrote them; an empty text means none.
    await add(settled.flatMap(({ toJudge }) => JSON.parse(toJudge || '[]') as SampledTrace[]))
    await counters.queued(settled)
    if (settled.length < settledMax) return
  }
}
