import type { AssemblyBooks } from '@plumbline/storage/control'
import type { Enqueue } from './enqueue.ts'
import type { SampledTrace } from './judged-references.ts'

const settledMax = 500

/**
 * Puts traces of OpenTelemetry that have settled into the queue of evaluations. Cut short between its two steps it does
 * the first once more, which then adds nothing.
 */
export async function queueSettled(
  books: Pick<AssemblyBooks, 'settled' | 'queued'>,
  add: Enqueue['add'],
  now: Date,
): Promise<void> {
  for (;;) {
    const settled = await books.settled(now, settledMax)
    if (settled.length === 0) return
    // Safe: the assembler wrote them; an empty text stands for nothing.
    await add(settled.flatMap(({ toJudge }) => JSON.parse(toJudge || '[]') as SampledTrace[]))
    await books.queued(settled)
    if (settled.length < settledMax) return
  }
}
