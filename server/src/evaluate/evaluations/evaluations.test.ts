import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type OutputOf, operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, retry } = operations.evaluations
const models = await startModelServer({ retryAfterSeconds: 0 })
after(() => models.close())
const { app, newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' },
})

type ListOutput = OutputOf<typeof list>
type Listing = ListOutput['evaluations'][number]

/** The evaluations, once there are `count` and all have ended. */
const waitUntilEnded = (workspace: TestWorkspace, count: number): Promise<Listing[]> =>
  eventually(async () => {
    const { evaluations } = await workspace.ok(list)
    assert.equal(evaluations.length, count)
    for (const { status, problem } of evaluations)
      assert.ok(status !== 'waiting' && status !== 'running', `${status}: ${problem}`)
    return evaluations
  })

const scoresOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(operations.traces.get, { id })).trace.scores

const connect = async (workspace: TestWorkspace, fields: object = {}) =>
  (
    await workspace.ok(operations.connections.create, {
      name: 'Ours',
      provider: 'open-ai',
      apiKey: 'sk-any',
      baseUrl: models.url,
      ...fields,
    })
  ).connection.id

const modelJudge = (connectionId: string, fields: object = {}) => ({
  slug: 'right',
  name: 'Right',
  kind: 'llm',
  config: {
    connectionId,
    model: 'gpt-4o',
    template: 'Is {{ output }} right for {{ input }}?',
    verdict: { type: 'boolean' },
    ...fields,
  },
})

const throwing = { kind: 'code', config: { source: "export default () => { throw new Error('No.') }" } }

const always = { evaluationConfig: { sampleRate: 1 } }

describe('a sampled trace', () => {
  it('is judged by the rules that it and its logs refer to, once, and its scores name the version', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await workspace.ok(operations.evaluators.update, { slug: 'polite', config: { value: 'thanks' } })
    const { id } = await recordTrace(workspace, {
      ...always,
      output: 'Many thanks.',
      evaluators: [{ slug: 'polite' }, { slug: 'unknown' }],
      logs: [
        { id: 'a', type: 'span', output: 'No.', evaluators: [{ slug: 'polite' }] },
        { id: 'b', type: 'span', evaluators: [{ slug: 'polite' }] },
      ],
    })
    const evaluations = await waitUntilEnded(workspace, 3)
    const byLog = new Map(evaluations.map((evaluation) => [evaluation.logId, evaluation]))
    assert.deepEqual(
      [null, 'a', 'b'].map((log) => [byLog.get(log)?.status, byLog.get(log)?.value]),
      [
        ['done', true],
        ['done', false],
        ['skipped', null],
      ],
    )
    assert.equal(byLog.get('b')?.comment, 'There is nothing at output.')
    const scores = await scoresOf(workspace, id)
    const rows = scores.map(
      ({ id: scoreId, logId, name, value, source, evaluatorSlug, evaluatorVersion }) => [
        scoreId === byLog.get(logId)?.id,
        logId,
        name,
        value,
        source,
        evaluatorSlug,
        evaluatorVersion,
      ],
    )
    assert.deepEqual(
      rows.toSorted(([, left], [, right]) => String(left).localeCompare(String(right))),
      [
        [true, 'a', 'polite', false, 'evaluator', 'polite', 2],
        [true, null, 'polite', true, 'evaluator', 'polite', 2],
      ],
    )
  })

  it('is not judged automatically if it was not sampled, and not by `human` evaluators', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await makeEvaluator(workspace, { slug: 'people', kind: 'human', config: {} })
    await recordTrace(workspace, { evaluationConfig: { sampleRate: 0 }, evaluators: [{ slug: 'polite' }] })
    await recordTrace(workspace, { ...always, evaluators: [{ slug: 'people' }] })
    await app.flush()
    assert.deepEqual((await workspace.ok(list)).evaluations, [])
  })

  it('is judged by a model, which receives the subject, and whose response has a price', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace)
    const verdicts: [slug: string, verdict: object, fits: (value: unknown) => boolean][] = [
      ['right', { type: 'boolean' }, (value) => typeof value === 'boolean'],
      ['grade', { type: 'numeric', min: 1, max: 5 }, (value) => Number(value) >= 1 && Number(value) <= 5],
      [
        'mood',
        { type: 'categorical', choices: ['glad', 'sad'] },
        (value) => ['glad', 'sad'].includes(String(value)),
      ],
    ]
    for (const [slug, verdict] of verdicts)
      await makeEvaluator(workspace, {
        ...modelJudge(connectionId, {
          verdict,
          systemTemplate: 'You judge {{ metadata.subject }}.',
          template: '{{ input.question }} {{ output }} {{ idealOutput }} {{ variables.city }} {{ context }}',
          temperature: 0.5,
          seed: 7,
        }),
        slug,
      })
    const { id } = await recordTrace(workspace, {
      ...always,
      input: { question: 'Which river?' },
      output: 'The Seine.',
      idealOutput: 'Seine',
      metadata: { subject: 'geography' },
      evaluators: verdicts.map(([slug]) => ({ slug })),
      logs: [
        { id: 'r', type: 'retrieval', output: [{ content: 'Paris lies on the Seine.' }, 'It is long.'] },
        { id: 'g', type: 'generation', variables: [{ label: 'city', value: 'Paris' }] },
      ],
    })
    const evaluations = await waitUntilEnded(workspace, 3)
    for (const [slug, , fits] of verdicts) {
      const evaluation = evaluations.find(({ evaluatorSlug }) => evaluatorSlug === slug)
      assert.ok(evaluation?.status === 'done' && fits(evaluation.value), JSON.stringify(evaluation))
      assert.ok(
        (evaluation.cost ?? 0) > 0 &&
          (evaluation.inputTokens ?? 0) > 0 &&
          (evaluation.outputTokens ?? 0) > 0 &&
          evaluation.comment,
      )
      assert.deepEqual(
        [evaluation.connectionId, evaluation.model, evaluation.attempts],
        [connectionId, 'gpt-4o', 1],
      )
    }
    const scores = await scoresOf(workspace, id)
    assert.equal(scores.length, 3)
    assert.ok(scores.every(({ cost, model }) => (cost ?? 0) > 0 && model === 'gpt-4o'))
    const requests = models.requests.map(({ body }) => body as Record<string, unknown>)
    const [, user] = requests.at(-1)!.messages as { content: string }[]
    assert.equal(user?.content, 'Which river? The Seine. Seine Paris Paris lies on the Seine.\n\nIt is long.')
    assert.match(JSON.stringify(requests.at(-1)?.messages), /You judge geography\./)
    assert.deepEqual([requests.at(-1)?.temperature, requests.at(-1)?.seed], [0.5, 7])
  })
})

describe('a model judge', () => {
  it('is probed first: waiting evaluations show the reason, and run once the connection is repaired', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace, { baseUrl: models.url.replace('/v1', '/v2') })
    await makeEvaluator(workspace, modelJudge(connectionId))
    await recordTrace(workspace, { ...always, output: 'x', evaluators: [{ slug: 'right' }] })
    const [waiting] = await eventually(async () => {
      const { waiting, counts } = await workspace.ok(list)
      assert.equal(counts.waiting, 1)
      assert.match(
        String(waiting[0]?.problem),
        /^The connection "Ours" failed its probe with the model "gpt-4o": 404 /,
      )
      return waiting
    })
    assert.deepEqual([waiting?.connectionId, waiting?.model, waiting?.waiting], [connectionId, 'gpt-4o', 1])
    const mended = { id: connectionId, baseUrl: models.url, apiKey: 'sk-any' }
    await workspace.ok(operations.connections.update, mended)
    assert.equal((await waitUntilEnded(workspace, 1))[0]?.status, 'done')
  })

  it('must have a known price if the connection has a budget', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace, { spendMaxPerDay: 1 })
    await makeEvaluator(workspace, modelJudge(connectionId, { model: 'nobody-knows-it' }))
    await recordTrace(workspace, { ...always, output: 'x', evaluators: [{ slug: 'right' }] })
    await eventually(async () =>
      assert.match(String((await workspace.ok(list)).waiting[0]?.problem), /its price is not known/),
    )
  })

  it('is not called beyond the daily budget of its connection', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace, { spendMaxPerDay: 0.000001, concurrencyMax: 1 })
    await makeEvaluator(workspace, modelJudge(connectionId))
    for (let index = 0; index < 3; index++)
      await recordTrace(workspace, { ...always, output: `${index}`, evaluators: [{ slug: 'right' }] })
    await eventually(async () => {
      const { waiting, counts } = await workspace.ok(list)
      assert.match(String(waiting[0]?.problem), /has reached its spending limit of \$0\.000001/)
      assert.ok(counts.waiting > 0)
    })
  })

  it('is called again after a malformed response, and retried when it fails', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace)
    const faults = ['429-once', '500-once', 'cut-once', 'malformed-once']
    for (const fault of faults)
      await makeEvaluator(workspace, { ...modelJudge(connectionId, { model: `fake-${fault}` }), slug: fault })
    await recordTrace(workspace, {
      ...always,
      output: 'x',
      evaluators: faults.map((slug) => ({ slug })),
    })
    const evaluations = await waitUntilEnded(workspace, 4)
    for (const { evaluatorSlug, status, problem } of evaluations)
      assert.equal(status, 'done', `${evaluatorSlug}: ${problem}`)
  })
})

describe('evaluations.create', () => {
  it('201: evaluates traces that were not sampled, each once', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const { id } = await recordTrace(workspace, { output: 'Yes, please.' })
    const input = { evaluatorSlug: 'polite', traceIds: [id, id.toUpperCase()] }
    assert.deepEqual(await workspace.ok(create, input), { created: 1, existing: 0 })
    await waitUntilEnded(workspace, 1)
    assert.deepEqual(await workspace.ok(create, input), { created: 0, existing: 1 })
    assert.equal((await scoresOf(workspace, id)).length, 1)
    await workspace.ok(operations.evaluators.update, { slug: 'polite', config: { value: 'no' } })
    assert.deepEqual(await workspace.ok(create, input), { created: 1, existing: 0 })
    await waitUntilEnded(workspace, 2)
    const versions = (await scoresOf(workspace, id)).map(({ evaluatorVersion }) => evaluatorVersion)
    assert.deepEqual(versions.toSorted(), [1, 2])
  })

  it('201: evaluates single logs, in addition to their trace', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const { id } = await recordTrace(workspace, {
      output: 'No.',
      logs: [
        { id: 'a', type: 'span', output: 'Yes, please.' },
        { id: 'b', type: 'span', output: 'Hm.' },
      ],
    })
    const log = { traceId: id, logId: 'a' }
    const input = { evaluatorSlug: 'polite', logs: [log, log] }
    assert.deepEqual(await workspace.ok(create, input), { created: 1, existing: 0 })
    assert.deepEqual(await workspace.ok(create, { ...input, traceIds: [id] }), { created: 1, existing: 1 })
    await waitUntilEnded(workspace, 2)
    const scores = (await scoresOf(workspace, id)).map(({ logId, value }) => [logId, value])
    assert.deepEqual(
      scores.toSorted(([left], [right]) => String(left).localeCompare(String(right))),
      [
        ['a', true],
        [null, false],
      ],
    )
  })

  it('400: for an empty list of traces, and for a `human` evaluator', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { kind: 'human', config: {} })
    const { id } = await recordTrace(workspace)
    await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [] }, 400)
    const logs = Array.from({ length: 1000 }, (_, index) => ({ traceId: id, logId: String(index) }))
    const many = await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [id], logs }, 400)
    assert.match(many, /^logs: must have at most 1000/)
    const error = await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [id] }, 400)
    assert.match(error, /^evaluatorSlug: must not name a "human" evaluator/)
  })

  it('404: for an evaluator, a trace or a log that does not exist', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace)
    await workspace.refused(create, { evaluatorSlug: 'nobody', traceIds: [id] }, 404)
    await makeEvaluator(workspace)
    const other = await recordTrace(await newWorkspace())
    await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [id, other.id] }, 404)
    const logs = [{ traceId: id, logId: 'gone' }]
    const error = await workspace.refused(create, { evaluatorSlug: 'polite', logs }, 404)
    assert.equal(error, `The trace "${id}" has no log with the id "gone".`)
  })
})

describe('evaluations.retry', () => {
  it('200: retries failed evaluations, and leaves others unchanged', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, throwing)
    await makeEvaluator(workspace, { ...throwing, slug: 'other' })
    const { id } = await recordTrace(workspace, {
      ...always,
      output: 'Yes, please.',
      evaluators: [{ slug: 'polite' }, { slug: 'other' }],
    })
    const evaluations = await waitUntilEnded(workspace, 2)
    const polite = evaluations.find(({ evaluatorSlug }) => evaluatorSlug === 'polite')
    assert.equal(polite?.status, 'failed')
    assert.match(String(polite?.problem), /No\./)
    const ids = ['01890000-0000-7000-8000-000000000000', String(polite?.id)]
    assert.deepEqual(await workspace.ok(retry, { ids }), { retried: 1 })
    assert.deepEqual(await workspace.ok(retry, { evaluatorSlug: 'other' }), { retried: 1 })
    await waitUntilEnded(workspace, 2)
    assert.deepEqual(await workspace.ok(retry), { retried: 2 })
    assert.deepEqual(await (await newWorkspace()).ok(retry), { retried: 0 })
    assert.deepEqual(await scoresOf(workspace, id), [])
  })

  it('400: names the wrong field', async () => {
    assert.match(await (await newWorkspace()).refused(retry, { ids: [] }, 400), /^ids: /)
  })
})

describe('evaluations.list', () => {
  it('200: filters by status, evaluator and trace, in pages, with counts of all', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await makeEvaluator(workspace, { ...throwing, slug: 'broken' })
    const slugs = ['polite', 'broken']
    const { id } = await recordTrace(workspace, {
      ...always,
      output: 'please',
      evaluators: slugs.map((slug) => ({ slug })),
    })
    await recordTrace(workspace, { ...always, output: 'please', evaluators: [{ slug: 'polite' }] })
    const all = await waitUntilEnded(workspace, 3)
    const idsOf = ({ evaluations }: ListOutput) => evaluations.map((evaluation) => evaluation.id)
    const expectedIds = (fits: (evaluation: Listing) => boolean) =>
      all.filter(fits).map((evaluation) => evaluation.id)
    assert.deepEqual(
      idsOf(await workspace.ok(list, { status: 'failed' })),
      expectedIds(({ status }) => status === 'failed'),
    )
    assert.deepEqual(
      idsOf(await workspace.ok(list, { evaluatorSlug: 'polite', traceId: id })),
      expectedIds((evaluation) => evaluation.evaluatorSlug === 'polite' && evaluation.traceId === id),
    )
    const first = await workspace.ok(list, { limit: 2 })
    const second = await workspace.ok(list, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([...idsOf(first), ...idsOf(second)], idsOf({ ...first, evaluations: all }))
    assert.equal(second.nextCursor, undefined)
    assert.deepEqual(second.counts, {
      waiting: 0,
      running: 0,
      failed: 1,
      doneToday: 2,
      skippedToday: 0,
      costToday: 0,
      waitingSince: null,
    })
    await eventually(async () => {
      const metrics = await send({ method: 'GET', url: '/metrics' })
      assert.match(metrics.text, /plumbline_evaluations\{status="waiting"\} \d/)
    })
  })

  it('400: for an unknown status, and for a cursor of another list', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { status: 'lost' }, 400), /^status: /)
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
  })
})
