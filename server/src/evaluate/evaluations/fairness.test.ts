// One control plane is enough: threads and scheduling are the same on both, and the queue has tests of its own on both.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

const countEvaluations = async (workspace: TestWorkspace, evaluatorSlug: string, status: 'done' | 'failed') =>
  (await workspace.ok(operations.evaluations.list, { evaluatorSlug, status, limit: 1000 })).evaluations.length

/** Records `count` traces for an evaluator. */
async function judgeMany(workspace: TestWorkspace, slug: string, count: number, fields: object = {}) {
  await Promise.all(
    Array.from({ length: count }, () =>
      workspace.ok(operations.monitor.trace, {
        ...fields,
        evaluators: [{ slug }],
        evaluationConfig: { sampleRate: 1 },
      }),
    ),
  )
}

/** Otherwise, waiting evaluations would take a thread from the tests that follow in this process. */
const stopJudging = (workspace: TestWorkspace, slug: string) =>
  workspace.ok(operations.evaluators.delete, { slug })

it('code that uses all of its time delays no rules, no other code and no other workspaces', async () => {
  const [slow, other] = [await newWorkspace(), await newWorkspace()]
  const code = (source: string, timeoutMs: number) => ({ kind: 'code', config: { source, timeoutMs } })
  const quick = 'export default () => true'
  await makeEvaluator(slow, { slug: 'endless', ...code('export default () => { while (true); }', 3000) })
  await makeEvaluator(slow, { slug: 'quick', ...code(quick, 10_000) })
  await makeEvaluator(slow)
  await makeEvaluator(other, { slug: 'quick', ...code(quick, 10_000) })
  await judgeMany(slow, 'endless', 40)
  await eventually(async () => {
    const { counts } = await slow.ok(operations.evaluations.list)
    assert.ok(counts.running > 0)
  })
  await judgeMany(slow, 'polite', 20, { output: 'please' })
  await judgeMany(slow, 'quick', 5)
  await judgeMany(other, 'quick', 20)
  await eventually(async () => {
    assert.equal(await countEvaluations(slow, 'polite', 'done'), 20)
    assert.equal(await countEvaluations(other, 'quick', 'done'), 20)
    assert.equal(await countEvaluations(slow, 'quick', 'done'), 5)
  })
  assert.ok(
    (await countEvaluations(slow, 'endless', 'failed')) < 40,
    'all of what is endless has ended before',
  )
  await stopJudging(slow, 'endless')
})

it('slow rules do not starve those of other workspaces', async () => {
  const [slow, other] = [await newWorkspace(), await newWorkspace()]
  // Each takes the 100 ms that a pattern is allowed.
  await makeEvaluator(slow, { slug: 'slow', kind: 'regex', config: { pattern: '^(a+)+$' } })
  await makeEvaluator(other)
  await judgeMany(slow, 'slow', 240, { output: `${'a'.repeat(40)}!` })
  await recordTrace(other, {
    output: 'please',
    evaluators: [{ slug: 'polite' }],
    evaluationConfig: { sampleRate: 1 },
  })
  await eventually(async () => assert.equal(await countEvaluations(other, 'polite', 'done'), 1))
  const { counts } = await slow.ok(operations.evaluations.list)
  assert.ok(counts.waiting + counts.running > 0, 'all of what is slow was judged before')
  await stopJudging(slow, 'slow')
})
