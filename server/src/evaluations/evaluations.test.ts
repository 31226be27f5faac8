import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type OutputOf, operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { startModelServer } from '../../../fixtures/model-server/server.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../testing.ts'

const { list, create, retry } = operations.evaluations
const models = await startModelServer({ retryAfterSeconds: 0 })
after(() => models.close())
const { app, newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' },
})

type Listed = OutputOf<typeof list>
type Listing = Listed['evaluations'][number]

/** The evaluations, once there are so many and none is under way. */
const ended = (workspace: TestWorkspace, count: number): Promise<Listing[]> =>
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
    const evaluations = await ended(workspace, 3)
    const byLog = new Map(evaluations.map((of) => [of.logId, of]))
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
    const told = scores.map(
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
      told.toSorted(([, one], [, other]) => String(one).localeCompare(String(other))),
      [
        [true, 'a', 'polite', false, 'evaluator', 'polite', 2],
        [true, null, 'polite', true, 'evaluator', 'polite', 2],
      ],
    )
  })

  it('is judged by nobody where it was not drawn, and by people in their own time', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await makeEvaluator(workspace, { slug: 'people', kind: 'human', config: {} })
    await recordTrace(workspace, { evaluationConfig: { sampleRate: 0 }, evaluators: [{ slug: 'polite' }] })
    await recordTrace(workspace, { ...always, evaluators: [{ slug: 'people' }] })
    await app.flush()
    assert.deepEqual((await workspace.ok(list)).evaluations, [])
  })

  it('is judged by a model, which is told of what is judged, and whose answer has a price', async () => {
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
    const evaluations = await ended(workspace, 3)
    for (const [slug, , fits] of verdicts) {
      const of = evaluations.find(({ evaluatorSlug }) => evaluatorSlug === slug)
      assert.ok(of?.status === 'done' && fits(of.value), JSON.stringify(of))
      assert.ok((of.cost ?? 0) > 0 && (of.inputTokens ?? 0) > 0 && (of.outputTokens ?? 0) > 0 && of.comment)
      assert.deepEqual([of.connectionId, of.model, of.attempts], [connectionId, 'gpt-4o', 1])
    }
    const scores = await scoresOf(workspace, id)
    assert.equal(scores.length, 3)
    assert.ok(scores.every(({ cost, model }) => (cost ?? 0) > 0 && model === 'gpt-4o'))
    const asked = models.requests.map(({ body }) => body as Record<string, unknown>)
    const [, user] = asked.at(-1)!.messages as { content: string }[]
    assert.equal(user?.content, 'Which river? The Seine. Seine Paris Paris lies on the Seine.\n\nIt is long.')
    assert.match(JSON.stringify(asked.at(-1)?.messages), /You judge geography\./)
    assert.deepEqual([asked.at(-1)?.temperature, asked.at(-1)?.seed], [0.5, 7])
  })
})

describe('a model that judges', () => {
  it('is probed first: what waits for it says why it does, and is judged once the connection is mended', async () => {
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
    assert.equal((await ended(workspace, 1))[0]?.status, 'done')
  })

  it('must have a known price where the connection may spend so much only', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace, { spendMaxPerDay: 1 })
    await makeEvaluator(workspace, modelJudge(connectionId, { model: 'nobody-knows-it' }))
    await recordTrace(workspace, { ...always, output: 'x', evaluators: [{ slug: 'right' }] })
    await eventually(async () =>
      assert.match(String((await workspace.ok(list)).waiting[0]?.problem), /its price is not known/),
    )
  })

  it('is not asked beyond what its connection may spend in a day', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace, { spendMaxPerDay: 0.000001, concurrencyMax: 1 })
    await makeEvaluator(workspace, modelJudge(connectionId))
    for (let at = 0; at < 3; at++)
      await recordTrace(workspace, { ...always, output: `${at}`, evaluators: [{ slug: 'right' }] })
    await eventually(async () => {
      const { waiting, counts } = await workspace.ok(list)
      assert.match(String(waiting[0]?.problem), /has spent the \$0\.000001 that it may spend/)
      assert.ok(counts.waiting > 0)
    })
  })

  it('is asked once more for an answer that is not of the form, and is tried again when it fails', async () => {
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
    const evaluations = await ended(workspace, 4)
    for (const { evaluatorSlug, status, problem } of evaluations)
      assert.equal(status, 'done', `${evaluatorSlug}: ${problem}`)
  })
})

describe('evaluations.create', () => {
  it('201: has traces judged that were not drawn, and none of them twice', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const { id } = await recordTrace(workspace, { output: 'Yes, please.' })
    const sent = { evaluatorSlug: 'polite', traceIds: [id, id.toUpperCase()] }
    assert.deepEqual(await workspace.ok(create, sent), { created: 1, existing: 0 })
    await ended(workspace, 1)
    assert.deepEqual(await workspace.ok(create, sent), { created: 0, existing: 1 })
    assert.equal((await scoresOf(workspace, id)).length, 1)
    await workspace.ok(operations.evaluators.update, { slug: 'polite', config: { value: 'no' } })
    assert.deepEqual(await workspace.ok(create, sent), { created: 1, existing: 0 })
    await ended(workspace, 2)
    const versions = (await scoresOf(workspace, id)).map(({ evaluatorVersion }) => evaluatorVersion)
    assert.deepEqual(versions.toSorted(), [1, 2])
  })

  it('201: has single logs judged, beside their trace', async () => {
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
    const sent = { evaluatorSlug: 'polite', logs: [log, log] }
    assert.deepEqual(await workspace.ok(create, sent), { created: 1, existing: 0 })
    assert.deepEqual(await workspace.ok(create, { ...sent, traceIds: [id] }), { created: 1, existing: 1 })
    await ended(workspace, 2)
    const scores = (await scoresOf(workspace, id)).map(({ logId, value }) => [logId, value])
    assert.deepEqual(
      scores.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      [
        ['a', true],
        [null, false],
      ],
    )
  })

  it('400: is no trace, and an evaluator by which people judge', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { kind: 'human', config: {} })
    const { id } = await recordTrace(workspace)
    await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [] }, 400)
    const logs = Array.from({ length: 1000 }, (_, at) => ({ traceId: id, logId: String(at) }))
    const many = await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [id], logs }, 400)
    assert.match(many, /^logs: must have at most 1000/)
    const error = await workspace.refused(create, { evaluatorSlug: 'polite', traceIds: [id] }, 400)
    assert.match(error, /^evaluatorSlug: must not name one that people judge by/)
  })

  it('404: is an evaluator, a trace or a log that does not exist', async () => {
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
  it('200: tries again what has failed, and what is on no list stays as it is', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, throwing)
    await makeEvaluator(workspace, { ...throwing, slug: 'other' })
    const { id } = await recordTrace(workspace, {
      ...always,
      output: 'Yes, please.',
      evaluators: [{ slug: 'polite' }, { slug: 'other' }],
    })
    const evaluations = await ended(workspace, 2)
    const polite = evaluations.find(({ evaluatorSlug }) => evaluatorSlug === 'polite')
    assert.equal(polite?.status, 'failed')
    assert.match(String(polite?.problem), /No\./)
    const ids = ['01890000-0000-7000-8000-000000000000', String(polite?.id)]
    assert.deepEqual(await workspace.ok(retry, { ids }), { retried: 1 })
    assert.deepEqual(await workspace.ok(retry, { evaluatorSlug: 'other' }), { retried: 1 })
    await ended(workspace, 2)
    assert.deepEqual(await workspace.ok(retry), { retried: 2 })
    assert.deepEqual(await (await newWorkspace()).ok(retry), { retried: 0 })
    assert.deepEqual(await scoresOf(workspace, id), [])
  })

  it('400: names the field that is wrong', async () => {
    assert.match(await (await newWorkspace()).refused(retry, { ids: [] }, 400), /^ids: /)
  })
})

describe('evaluations.list', () => {
  it('200: gives those of a status, an evaluator and a trace, in pages, with counts of all', async () => {
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
    const all = await ended(workspace, 3)
    const idsOf = ({ evaluations }: Listed) => evaluations.map((of) => of.id)
    const expected = (fits: (of: Listing) => boolean) => all.filter(fits).map((of) => of.id)
    assert.deepEqual(
      idsOf(await workspace.ok(list, { status: 'failed' })),
      expected(({ status }) => status === 'failed'),
    )
    assert.deepEqual(
      idsOf(await workspace.ok(list, { evaluatorSlug: 'polite', traceId: id })),
      expected((of) => of.evaluatorSlug === 'polite' && of.traceId === id),
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
    const metrics = await send({ method: 'GET', url: '/metrics' })
    assert.match(metrics.text, /plumbline_evaluations\{status="waiting"\} \d/)
  })

  it('400: is a status that there is not, and a cursor of another list', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { status: 'lost' }, 400), /^status: /)
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
  })
})
