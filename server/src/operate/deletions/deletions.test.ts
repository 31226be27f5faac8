import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deletionIdsMax, operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { otlpTraceId, sendSpans } from '../../../testing/deleted-spans.ts'
import {
  makeEvaluator,
  makeFeature,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { preview, create, get, list } = operations.deletions
const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const isGone = (workspace: TestWorkspace, id: string) => workspace.refused(operations.traces.get, { id }, 404)

const listIds = async (workspace: TestWorkspace, filter: object = {}) =>
  (await workspace.ok(operations.traces.list, filter)).traces.map(({ id }) => id)

const count = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(operations.metrics.query, { measures: 'traces,logs', ...fields })).rows

/** A user's trace with a log and a score. */
async function record(workspace: TestWorkspace, userId: string, fields: object = {}): Promise<string> {
  const logs = [{ id: 'g', type: 'generation', input: 'Hi', output: 'Hello' }]
  const { id } = await recordTrace(workspace, { user: { id: userId, name: 'N' }, logs, ...fields })
  await workspace.ok(operations.scores.create, { traceId: id, name: 'good', value: true })
  return id
}

/** The deletion once its rows are no longer in any response. */
const waitForDeletion = (workspace: TestWorkspace, id: string) =>
  eventually(async () => {
    const { deletion } = await workspace.ok(get, { id })
    assert.notEqual(deletion.deletedAt, null)
    return deletion
  })

describe('traces.delete', () => {
  it('204: removes the trace from every response, and from metrics', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makeEvaluator(workspace)
    const [id, other] = [
      await record(workspace, 'ada', { featureSlug: 'chat', evaluators: [{ slug: 'polite' }] }),
      await record(workspace, 'ada', { featureSlug: 'chat' }),
    ]
    const before = await workspace.ok(operations.traces.get, { id: other })
    await app.flush()
    await workspace.ok(operations.traces.delete, { id })
    // The response waits at most ten seconds, which may not be enough on a busy machine.
    await app.jobsDrained()
    await isGone(workspace, id)
    assert.deepEqual(await listIds(workspace), [other])
    assert.deepEqual(await count(workspace), [{ traces: 1, logs: 1 }])
    const { scores } = await workspace.ok(operations.scores.list, { traceId: id })
    assert.deepEqual(scores, [])
    const { evaluations } = await workspace.ok(operations.evaluations.list, { traceId: id })
    assert.deepEqual(evaluations, [])
    assert.deepEqual(await workspace.ok(operations.traces.get, { id: other }), before)
  })

  it('204: removes a trace that is still in the spool', async () => {
    const workspace = await newWorkspace()
    const { trace } = await workspace.ok(operations.monitor.trace, { name: 'late' })
    await workspace.ok(operations.traces.delete, { id: trace.id })
    await isGone(workspace, trace.id)
  })

  it('204: drops spans that arrive later for the trace', async () => {
    const workspace = await newWorkspace()
    const otelTraceId = otlpTraceId()
    await sendSpans(testApp, workspace, otelTraceId, [{ spanId: '1'.repeat(16), name: 'root' }])
    await app.flush()
    const { trace } = await workspace.ok(operations.traces.get, { id: otelTraceId })
    await workspace.ok(operations.traces.delete, { id: otelTraceId })
    await isGone(workspace, otelTraceId)
    await sendSpans(testApp, workspace, otelTraceId, [
      { spanId: '2'.repeat(16), parentSpanId: '1'.repeat(16), name: 'late' },
    ])
    await app.flush()
    await isGone(workspace, otelTraceId)
    await isGone(workspace, trace.id)
    assert.deepEqual(await listIds(workspace), [])
    assert.deepEqual(await count(workspace), [{ traces: 0, logs: 0 }])
    const spans = await app.traceStore.readSpans([{ workspaceId: workspace.id, otelTraceId, firstAtMs: 0 }])
    assert.equal(spans, '')
  })

  it('404: the trace does not exist', async () => {
    const workspace = await newWorkspace()
    assert.match(
      await workspace.refused(operations.traces.delete, { id: 'nothing' }, 404),
      /No trace has the id/,
    )
  })
})

describe('deletions.preview', () => {
  it('200: counts what would be deleted, and deletes nothing', async () => {
    const workspace = await newWorkspace()
    const id = await record(workspace, 'ada')
    await record(workspace, 'bob')
    assert.deepEqual(await workspace.ok(preview, { filter: { userId: 'ada' } }), {
      traces: 1,
      logs: 1,
      scores: 1,
    })
    assert.equal((await workspace.ok(preview, { ids: [id] })).traces, 1)
    const others = Array.from({ length: deletionIdsMax - 1 }, () => crypto.randomUUID())
    assert.equal((await workspace.ok(preview, { ids: [...others, id] })).traces, 1)
    assert.equal((await listIds(workspace)).length, 2)
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const keys = Array.from({ length: 101 }, (_, index) => `k${index}`)
    for (const operation of [preview, create]) {
      const refusals: [path: string, input: object][] = [
        ['ids', {}],
        ['ids[0]', { ids: ['x'] }],
        ['ids', { ids: [] }],
        ['filter', { ids: [crypto.randomUUID()], filter: { userId: 'a' } }],
        ['filter', { filter: {} }],
        ['from', { filter: { from: 'yesterday' } }],
        ['filter.minCost', { filter: { minCost: 'x' } }],
        ['filter.userId', { filter: { userId: null } }],
        ['q', { filter: { q: 'a '.repeat(201) } }],
        ['q', { filter: { q: `"${'b,'.repeat(150)}" ${'c* '.repeat(51)}` } }],
        ['q', { filter: { q: 'd'.repeat(10_001) } }],
        ['metadata.k100', { filter: Object.fromEntries(keys.map((key) => [`metadata.${key}`, 'a'])) }],
      ]
      for (const [path, input] of refusals) {
        const error = await workspace.refused(operation, input, 400)
        assert.ok(error.startsWith(`${path}: `), `${path}: ${error}`)
      }
    }
  })

  it('400: a misspelled filter, which would match everything, is reported with the probable name', async () => {
    const workspace = await newWorkspace()
    await record(workspace, 'ada')
    for (const operation of [preview, create]) {
      for (const [filter, error] of [
        [{ userid: 'ada' }, 'filter.userid: is unknown; did you mean userId?'],
        [{ userId: 'ada', featureslug: 'x' }, 'filter.featureslug: is unknown; did you mean featureSlug?'],
      ] as const)
        assert.equal(await workspace.refused(operation, { filter }, 400), error)
      const error = await workspace.refused(operation, { filter: { colour: 'red' } }, 400)
      assert.match(error, /^filter\.colour: is none of featureSlug, .*, q, metadata\.KEY$/)
    }
    assert.equal((await workspace.ok(preview, { filter: { userId: 'ada' } })).traces, 1)
  })

  it('400: a filter without a condition would match everything', async () => {
    const workspace = await newWorkspace()
    const filters = [
      { where: '[]' },
      { q: ' ' },
      { where: ' [] ', q: '' },
      { userId: '' },
      { where: '[{"field":"model","not":[]},{"field":"hasError","not":[]}]' },
    ]
    for (const filter of filters)
      for (const operation of [preview, create])
        assert.match(
          await workspace.refused(operation, { filter }, 400),
          /^filter: must have at least one condition/,
          JSON.stringify(filter),
        )
    for (const operation of [preview, create])
      assert.match(
        await workspace.refused(operation, { filter: { where: '[{"field":"model"}]' } }, 400),
        /^where\[0\]: must have one of the operators of model/,
      )
    for (const filter of [
      { where: '[{"field":"model","exists":false}]' },
      { q: '"' },
      { to: '2000-01-01' + 'T00:00Z' },
    ])
      assert.equal((await workspace.ok(preview, { filter })).traces, 0)
  })
})

describe('deletions.create', () => {
  it('201: deletes what matches a filter, in slices, and nothing else', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await record(other, 'ada')
    for (let index = 0; index < 3; index++) await record(workspace, 'ada', { metadata: { tier: 'free' } })
    const remaining = [
      await record(workspace, 'ada'),
      await record(workspace, 'bob', { metadata: { tier: 'free' } }),
    ]
    const filter = { userId: 'ada', 'metadata.tier': 'free' }
    const { deletion } = await workspace.ok(create, { filter })
    assert.deepEqual([deletion.expectedTraces, deletion.filter, deletion.traceIds], [3, filter, null])
    const { deleted: rows, status, requestedBy } = await waitForDeletion(workspace, deletion.id)
    assert.deepEqual([rows.traces, rows.logs, rows.scores, status], [3, 3, 3, 'purging'])
    assert.equal(requestedBy, 'Test')
    assert.deepEqual((await listIds(workspace)).toSorted(), remaining.toSorted())
    assert.deepEqual(await count(workspace), [{ traces: 2, logs: 2 }])
    assert.equal((await listIds(other)).length, 1)
  })

  it('201: deletes the given ids, but not those of another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const [id, remaining, theirs] = [
      await record(workspace, 'a'),
      await record(workspace, 'a'),
      await record(other, 'a'),
    ]
    const { deletion } = await workspace.ok(create, { ids: [id.toUpperCase(), theirs] })
    assert.equal((await waitForDeletion(workspace, deletion.id)).deleted.traces, 1)
    assert.deepEqual(await listIds(workspace), [remaining])
    assert.deepEqual(await listIds(other), [theirs])
  })

  it('200: is cancelled with its job, and continues when the job is retried', async () => {
    const workspace = await newWorkspace()
    await record(workspace, 'ada')
    // It waits for the night.
    const { id } = (await workspace.ok(create, { filter: { userId: 'ada' } })).deletion
    await waitForDeletion(workspace, id)
    const states = async () => {
      const { deletions } = await workspace.ok(list)
      const { deletion } = await workspace.ok(get, { id })
      return [deletion.status, ...deletions.map(({ status }) => status)]
    }
    const job = (await workspace.ok(operations.jobs.list, { kind: 'deletion.run' })).jobs[0]!
    await workspace.ok(operations.jobs.cancel, { id: job.id })
    assert.deepEqual(await states(), ['cancelled', 'cancelled'])
    await workspace.ok(operations.jobs.retry, { id: job.id })
    assert.deepEqual(await states(), ['purging', 'purging'])
  })

  it('201: is finished at once if nothing matches', async () => {
    const workspace = await newWorkspace()
    const { deletion } = await workspace.ok(create, { filter: { q: 'nothing of the kind' } })
    await eventually(async () => {
      const { status, finishedAt } = (await workspace.ok(get, { id: deletion.id })).deletion
      assert.equal(status, 'done')
      assert.notEqual(finishedAt, null)
    })
  })
})

describe('deletions.list', () => {
  it('200: has the latest first, in pages', async () => {
    const workspace = await newWorkspace()
    const ids: string[] = []
    for (const userId of ['a', 'b', 'c'])
      ids.unshift((await workspace.ok(create, { filter: { userId } })).deletion.id)
    const first = await workspace.ok(list, { limit: 2 })
    const rest = await workspace.ok(list, { limit: 2, cursor: first.nextCursor })
    const listed = [...first.deletions, ...rest.deletions].map(({ id }) => id)
    assert.deepEqual(listed.toSorted(), ids.toSorted())
    assert.equal(rest.nextCursor, undefined)
  })

  it('400: the cursor belongs to another list', async () => {
    await (await newWorkspace()).refused(list, { cursor: 'x' }, 400)
  })
})

describe('deletions.get', () => {
  it('404: the deletion does not exist, or is an erasure', async () => {
    const workspace = await newWorkspace()
    await workspace.refused(get, { id: 'nothing' }, 404)
    const { erasure } = await workspace.ok(operations.erasures.create, { userId: 'nobody' })
    await workspace.refused(get, { id: erasure.id }, 404)
  })
})
