/** Builders for tests of annotation queues. */
import { operations } from '@plumbline/contract'
import { makeEvaluator, recordTrace, type TestWorkspace } from '../testing.ts'

export const queues = operations.annotationQueues

/** An evaluator that people judge by: a tone of three, unless told otherwise. */
export const makeHuman = (workspace: TestWorkspace, fields: object = {}) =>
  makeEvaluator(workspace, {
    slug: 'tone',
    name: 'Tone',
    kind: 'human',
    config: { rubric: 'How does it sound?', verdict: { type: 'categorical', choices: ['warm', 'cold'] } },
    ...fields,
  })

/** A queue that judges the tone, with so many traces in it, whose ids it gives. */
export async function makeQueue(workspace: TestWorkspace, count: number, fields: object = {}) {
  await makeHuman(workspace)
  const { queue } = await workspace.ok(queues.create, {
    name: 'Tone of answers',
    evaluatorSlugs: ['tone'],
    ...fields,
  })
  const traceIds: string[] = []
  for (let at = 0; at < count; at++)
    traceIds.push((await recordTrace(workspace, { output: `Answer ${at}.` })).id)
  if (count > 0)
    await workspace.ok(queues.add, { id: queue.id, items: traceIds.map((traceId) => ({ traceId })) })
  return { ...queue, traceIds }
}
