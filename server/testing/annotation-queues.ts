/** Builders for tests of annotation queues. */
import { operations } from '@plumbline/contract'
import { makeEvaluator, recordTrace, type TestWorkspace } from './test-app.ts'

export const queues = operations.annotationQueues

/** A `human` evaluator; by default, for the tone. */
export const makeHuman = (workspace: TestWorkspace, fields: object = {}) =>
  makeEvaluator(workspace, {
    slug: 'tone',
    name: 'Tone',
    kind: 'human',
    config: { rubric: 'How does it sound?', verdict: { type: 'categorical', choices: ['warm', 'cold'] } },
    ...fields,
  })

/** A queue for the tone, with `count` new traces and their ids. */
export async function makeQueue(workspace: TestWorkspace, count: number, fields: object = {}) {
  await makeHuman(workspace)
  const { queue } = await workspace.ok(queues.create, {
    name: 'Tone of answers',
    evaluatorSlugs: ['tone'],
    ...fields,
  })
  const traceIds: string[] = []
  for (let index = 0; index < count; index++)
    traceIds.push((await recordTrace(workspace, { output: `Answer ${index}.` })).id)
  if (count > 0)
    await workspace.ok(queues.add, { id: queue.id, items: traceIds.map((traceId) => ({ traceId })) })
  return { ...queue, traceIds }
}
