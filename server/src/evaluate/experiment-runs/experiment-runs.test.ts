// One control plane is enough: the queue of cases has tests of its own on both.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import {
  makeDataset,
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { create, get, list, cancel, retry, cases } = operations.experimentRuns
const models = await startModelServer({
  script: [{ when: 'Ping', text: 'Pong' }],
  retryAfterSeconds: 0,
})
after(() => models.close())
const { app, newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true', PLUMBLINE_ENDPOINT_HOSTS: '127.0.0.1,localhost' },
})

const model = { provider: 'open-ai', model: 'gpt-4o', parameters: { temperature: 0 } }

/** A workspace with a feature, a prompt, a dataset of `rows` rows, an evaluator and a connection. */
async function makeLaboratory(rows = 3) {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  await makeLivePrompt(workspace, { text: 'Ping {{ question }}', model }, { featureSlug: 'chat' })
  await makeDataset(workspace)
  await workspace.ok(operations.datasets.append, {
    slug: 'cases',
    rows: Array.from({ length: rows }, (_, index) => ({
      values: { question: `number ${index}` },
      idealOutput: 'Pong',
      name: `row ${index}`,
    })),
  })
  await makeEvaluator(workspace, { slug: 'exact', name: 'Exact', kind: 'equals', config: {} })
  const { connection } = await workspace.ok(operations.connections.create, {
    name: 'Fake',
    provider: 'open-ai',
    apiKey: 'sk-any',
    baseUrl: models.url,
  })
  const target = { type: 'prompt', slug: 'greeting', version: '1.0.0', connectionId: connection.id }
  const start = async (fields: object = {}) =>
    (await workspace.ok(create, { datasetSlug: 'cases', target, ...fields })).run
  return { workspace, target, connectionId: connection.id, start }
}

const waitForEnd = (workspace: TestWorkspace, id: string) =>
  eventually(async () => {
    const { run } = await workspace.ok(get, { id })
    assert.equal(run.status, 'done')
    return run
  })

const waitForJudged = (workspace: TestWorkspace, id: string) =>
  eventually(async () => {
    const standing = await workspace.ok(operations.experiments.judging, { id })
    assert.ok(standing.hasEnded, JSON.stringify(standing))
    return standing
  })

const casesOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(cases, { id, limit: 1000 })).cases

type Handler = (request: IncomingMessage, body: Record<string, unknown>, response: ServerResponse) => unknown

/** An endpoint with a configurable response. */
async function startEndpoint(handle: Handler): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await handle(request, JSON.parse(Buffer.concat(chunks).toString()), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/run?secret=1`
}

const answerJson = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe('the version of the dataset', () => {
  it('201: is recorded in the run, created only if rows have changed, or chosen by the request', async () => {
    const { workspace, start } = await makeLaboratory(2)
    const [first, second] = [await start(), await start()]
    assert.deepEqual([first.datasetVersion, second.datasetVersion], [1, 1])
    const slug = 'cases'
    const { rows } = await workspace.ok(operations.datasets.rows, { slug })
    const ids = rows.map(({ id }) => id)
    await workspace.ok(operations.datasets.change, { slug, id: ids[0]!, split: 'test', labels: ['hard'] })
    await workspace.ok(operations.datasets.discard, { slug, ids: [ids[1]!] })
    const third = await start()
    assert.deepEqual([third.datasetVersion, third.rowCount], [2, 1])
    const fourth = await start({ datasetVersion: 1 })
    assert.deepEqual([fourth.datasetVersion, fourth.rowCount], [1, 2])
    assert.deepEqual(
      (await casesOf(workspace, fourth.id)).map(({ datasetRowId }) => datasetRowId),
      ids,
    )
    const fifth = await start({ datasetVersion: 2, split: 'test', label: 'hard' })
    assert.deepEqual([fifth.rowCount, fifth.split, fifth.label], [1, 'test', 'hard'])
    // A case has one position, whichever other rows run.
    const [added] = (
      await workspace.ok(operations.datasets.append, {
        slug,
        rows: [{ values: { question: 'new' }, split: 'test' }],
      })
    ).ids
    await workspace.ok(operations.datasets.change, { slug, id: ids[0]!, split: null })
    const [ofSplit] = await casesOf(workspace, (await start({ split: 'test' })).id)
    assert.deepEqual([ofSplit!.datasetRowId, ofSplit!.row], [added, 1])
    const { datasets } = await workspace.ok(operations.experiments.compare, {
      ids: `${first.experimentId},${fifth.experimentId}`,
    })
    assert.deepEqual(datasets, [
      { id: first.experimentId, datasetSlug: slug, datasetVersion: 1, split: null, label: null },
      { id: fifth.experimentId, datasetSlug: slug, datasetVersion: 2, split: 'test', label: 'hard' },
    ])
    const version = await workspace.ok(operations.datasets.rows, { slug, version: first.datasetVersion! })
    assert.deepEqual(version.rows, rows)
  })

  it('400, 404: must exist, and have rows of the split', async () => {
    const { workspace, target } = await makeLaboratory(1)
    const input = { datasetSlug: 'cases', target }
    assert.match(await workspace.refused(create, { ...input, datasetVersion: 9 }, 404), /no version 9/)
    assert.match(await workspace.refused(create, { ...input, split: 'test' }, 400), /^split: /)
    assert.match(await workspace.refused(create, { ...input, label: 'hard' }, 400), /^label: /)
  })
})

describe('experimentRuns.create', () => {
  describe('201', () => {
    it('runs a prompt version over the current rows, records each case once, and has all of them judged', async () => {
      const { workspace, start } = await makeLaboratory()
      const run = await start({ evaluatorSlugs: ['exact'], repetitions: 2 })
      assert.deepEqual(
        [run.rowCount, run.repetitions, run.status, run.target.type === 'prompt' && run.target.model],
        [3, 2, 'running', 'gpt-4o'],
      )
      await workspace.ok(operations.datasets.append, {
        slug: 'cases',
        rows: [{ values: { question: 'too late' } }],
      })
      const done = await waitForEnd(workspace, run.id)
      assert.deepEqual(done.counts, { waiting: 0, running: 0, done: 6, failed: 0, cancelled: 0 })
      assert.ok(done.cost > 0)
      const standing = await waitForJudged(workspace, run.experimentId)
      assert.deepEqual([standing.traces, standing.judged, standing.failed], [6, 6, 0])

      const { traces } = await workspace.ok(operations.traces.list, { experimentId: run.experimentId })
      assert.equal(traces.length, 6)
      const all = await casesOf(workspace, run.id)
      assert.deepEqual(new Set(all.map(({ traceId }) => traceId)), new Set(traces.map(({ id }) => id)))
      const first = all.find(({ row, repetition }) => row === 1 && repetition === 1)
      const { trace } = await workspace.ok(operations.traces.get, { id: first?.traceId ?? '' })
      assert.deepEqual(
        [trace.name, trace.featureSlug, trace.input, trace.output, trace.idealOutput],
        ['greeting 1.0.0 on cases', 'chat', { question: 'number 1' }, 'Pong', 'Pong'],
      )
      assert.deepEqual(trace.metadata, {
        dataset: 'cases',
        datasetRowId: first?.datasetRowId,
        row: 1,
        rowName: 'row 1',
        repetition: 1,
        runId: run.id,
      })
      assert.deepEqual(trace.evaluators, [{ slug: 'exact' }])
      assert.equal(trace.sampleRate, 1)
      const generation = trace.logs.find(({ type }) => type === 'generation')
      assert.deepEqual(
        [generation?.model, generation?.prompt, generation?.promptVersion],
        ['gpt-4o', { slug: 'greeting', version: '1.0.0' }, '1.0.0'],
      )
      assert.deepEqual(generation?.input, [{ role: 'user', content: 'Ping number 1' }])
      assert.ok((generation?.inputTokens ?? 0) > 0 && (trace.totals.cost ?? 0) > 0)
      assert.equal(trace.scores.find(({ name }) => name === 'exact')?.value, true)
    })

    it('runs only the named rows, under a name and a feature of their own', async () => {
      const { workspace, start } = await makeLaboratory()
      const { rows } = await workspace.ok(operations.datasets.rows, { slug: 'cases' })
      const run = await start({ rowIds: [rows[1]!.id], name: 'One row' })
      await waitForEnd(workspace, run.id)
      const all = await casesOf(workspace, run.id)
      assert.deepEqual(
        all.map(({ datasetRowId, row }) => [datasetRowId, row]),
        [[rows[1]!.id, 1]],
      )
      const { experiment } = await workspace.ok(operations.experiments.get, { id: run.experimentId })
      assert.equal(experiment.name, 'One row')
    })

    it('ends each case with a failing model as done, or as failed with the reason', async () => {
      const { workspace, start, target } = await makeLaboratory(6)
      for (const fake of ['fake-429-50', 'fake-500-30', 'fake-malformed-30', 'fake-cut-30']) {
        const run = await start({ target: { ...target, model: fake }, concurrency: 6 })
        const done = await waitForEnd(workspace, run.id)
        assert.equal(done.counts.done + done.counts.failed, 6, fake)
        for (const { status, problem, traceId } of await casesOf(workspace, run.id))
          assert.ok(status === 'done' ? traceId !== null : problem !== null, fake)
      }
    })

    it('fails at once if the key is rejected or the model does not exist', async () => {
      const { workspace, start, target } = await makeLaboratory(2)
      const run = await start({ target: { ...target, model: 'fake-401' } })
      const done = await waitForEnd(workspace, run.id)
      assert.equal(done.counts.failed, 2)
      const [first] = await casesOf(workspace, run.id)
      assert.equal(first?.attempts, 1)
      assert.match(first?.problem ?? '', /401/)
    })

    it('stops at its budget, with the reason', async () => {
      const { workspace, start } = await makeLaboratory(4)
      const run = await start({ spendMax: 1e-9, concurrency: 1 })
      const done = await waitForEnd(workspace, run.id)
      assert.deepEqual([done.counts.done, done.counts.failed], [1, 3])
      const failed = (await casesOf(workspace, run.id)).find(({ status }) => status === 'failed')
      assert.match(failed?.problem ?? '', /has reached its spending limit/)
    })

    it('posts a case to an endpoint without the expected output, and uses the response as its output', async () => {
      const { workspace, start } = await makeLaboratory(2)
      const requests: { body: Record<string, unknown>; key: unknown; traceparent: unknown }[] = []
      const url = await startEndpoint((request, body, response) => {
        requests.push({ body, key: request.headers['x-key'], traceparent: request.headers.traceparent })
        answerJson(response, { output: { text: 'Pong' } })
      })
      const target = { type: 'endpoint', url, headers: { 'x-key': 'secret' } }
      const run = await start({ target, featureSlug: 'chat' })
      assert.deepEqual(run.target, { type: 'endpoint', url, headers: { 'x-key': '' } })
      await waitForEnd(workspace, run.id)
      await waitForJudged(workspace, run.experimentId)
      const [first] = await casesOf(workspace, run.id)
      const request = requests.find(({ body }) => body.datasetRowId === first?.datasetRowId)
      assert.deepEqual(request?.body, {
        input: 'number 0',
        variables: { question: 'number 0' },
        datasetRowId: first?.datasetRowId,
        runId: run.id,
      })
      assert.equal(request?.key, 'secret')
      assert.match(String(request?.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      const { trace } = await workspace.ok(operations.traces.get, { id: first?.traceId ?? '' })
      assert.deepEqual([trace.output, trace.idealOutput], [{ text: 'Pong' }, 'Pong'])
    })

    it('records nothing of a case whose row is emptied by an erasure while it runs', async () => {
      const { workspace, start } = await makeLaboratory(2)
      const { subjectReferences } = app.control.scopedTo({ workspaceId: workspace.id })
      const url = await startEndpoint(async (_request, { runId, input }, response) => {
        if (input === 'number 0')
          await subjectReferences.emptyRunRows([{ runId: String(runId), position: 0 }], new Date())
        answerJson(response, { output: input })
      })
      // The second case begins after the first has ended.
      const run = await start({ target: { type: 'endpoint', url }, featureSlug: 'chat', concurrency: 1 })
      await waitForEnd(workspace, run.id)
      await app.flush()
      const { traces } = await workspace.ok(operations.traces.list, { experimentId: run.experimentId })
      const shownCases = await casesOf(workspace, run.id)
      assert.deepEqual(
        [traces.map(({ id }) => id), shownCases.map(({ status }) => status)],
        [[shownCases[1]?.traceId], ['cancelled', 'done']],
      )
    })

    it('counts the cost of a response that could not be recorded', async () => {
      const { workspace, start, connectionId } = await makeLaboratory(1)
      const { subjectReferences } = app.control.scopedTo({ workspaceId: workspace.id })
      const url = await startEndpoint(async (request, body, response) => {
        const [run] = (await workspace.ok(list, {})).runs
        await subjectReferences.emptyRunRows([{ runId: run!.id, position: 0 }], new Date())
        const answer = await fetch(`${models.url}${request.url}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer sk-any' },
          body: JSON.stringify(body),
        })
        response
          .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
          .end(await answer.text())
      })
      const baseUrl = new URL(url).origin
      await workspace.ok(operations.connections.update, { id: connectionId, baseUrl, apiKey: 'sk-any' })
      const run = await start()
      await eventually(async () => {
        const { cost, counts } = (await workspace.ok(get, { id: run.id })).run
        assert.ok(cost > 0)
        assert.equal(counts.done, 0)
      })
      const { connections } = await workspace.ok(operations.connections.list, {})
      assert.ok(connections[0]!.spentToday > 0)
    })

    it('joins a case and the spans that its endpoint records under the same trace id into one trace', async () => {
      const { workspace, start } = await makeLaboratory(1)
      const url = await startEndpoint(async (request, _body, response) => {
        const [, traceId, parentSpanId] = String(request.headers.traceparent).split('-')
        const span = {
          traceId,
          spanId: 'b7ad6b7169203331',
          parentSpanId,
          name: 'retrieve',
          kind: 1,
          startTimeUnixNano: `${Date.now()}000000`,
          endTimeUnixNano: `${Date.now() + 1}000000`,
        }
        await send({
          method: 'POST',
          url: '/v1/traces',
          headers: {
            authorization: `Bearer ${workspace.key.secret}`,
            'content-type': 'application/json',
          },
          payload: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
        })
        // The endpoint reports the trace of the traceparent.
        answerJson(response, { output: 'Pong', traceId })
      })
      const run = await start({ target: { type: 'endpoint', url }, featureSlug: 'chat' })
      await waitForEnd(workspace, run.id)
      await waitForJudged(workspace, run.experimentId)
      const { traces } = await workspace.ok(operations.traces.list, {})
      assert.equal(traces.length, 1)
      const [only] = await casesOf(workspace, run.id)
      assert.equal(traces[0]?.id, only?.traceId)
      const { trace } = await workspace.ok(operations.traces.get, { id: traces[0]!.id })
      assert.deepEqual(trace.logs.map(({ name }) => name).toSorted(), [trace.name, 'retrieve'].toSorted())
    })

    it('uses the trace that an endpoint reports, for the row that it was made from', async () => {
      const { workspace, start } = await makeLaboratory(2)
      const url = await startEndpoint(async (_request, { input }, response) => {
        const { trace } = await workspace.ok(operations.monitor.trace, {
          name: 'own',
          input: String(input),
          output: 'Pong',
          idealOutput: 'Pong',
        })
        answerJson(response, { output: 'Pong', traceId: trace.id })
      })
      const target = { type: 'endpoint', url }
      const fields = { target, featureSlug: 'chat', evaluatorSlugs: ['exact'] }
      const [run, other] = [await start(fields), await start(fields)]
      for (const { id, experimentId } of [run, other]) {
        await waitForEnd(workspace, id)
        await waitForJudged(workspace, experimentId)
      }
      const { traces } = await workspace.ok(operations.traces.list, { experimentId: run.experimentId })
      assert.deepEqual(
        traces.map(({ name }) => name),
        ['own', 'own'],
      )
      const compared = await workspace.ok(operations.experiments.compare, {
        ids: `${run.experimentId},${other.experimentId}`,
      })
      assert.deepEqual(
        compared.cases.map(({ datasetRowId }) => datasetRowId).toSorted(),
        (await casesOf(workspace, run.id)).map(({ datasetRowId }) => datasetRowId).toSorted(),
      )
      assert.equal(compared.measures.find(({ name }) => name === 'score.exact')?.experiments[0]?.mean, 1)
    })

    it('reports an endpoint that rejects the request, responds in another form, or is unreachable', async () => {
      const { workspace, start } = await makeLaboratory(1)
      const faults: [Handler, RegExp][] = [
        [(_request, _body, response) => answerJson(response, { no: 'way' }, 422), /422: \{"no":"way"\}/],
        [
          (_request, _body, response) => answerJson(response, { error: { message: 'No way.' } }, 404),
          /^The endpoint responded with 404: No way\.$/,
        ],
        [
          (_request, _body, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
          /redirect/,
        ],
      ]
      for (const [handle, problem] of faults) {
        const url = await startEndpoint(handle)
        const run = await start({ target: { type: 'endpoint', url, timeoutMs: 10_000 }, featureSlug: 'chat' })
        const [only] = await eventually(async () => {
          const runCases = await casesOf(workspace, run.id)
          assert.ok(runCases[0]?.problem != null)
          return runCases
        })
        assert.match(only?.problem ?? '', problem)
        await workspace.ok(cancel, { id: run.id })
      }
      for (const handle of [
        (() => undefined) satisfies Handler,
        ((_request, _body, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end('{')) satisfies Handler,
      ]) {
        const url = await startEndpoint(handle)
        const run = await start({ target: { type: 'endpoint', url, timeoutMs: 100 }, featureSlug: 'chat' })
        const [only] = await eventually(async () => {
          const runCases = await casesOf(workspace, run.id)
          assert.equal(runCases[0]?.status, 'waiting')
          assert.ok(runCases[0]?.problem != null)
          return runCases
        })
        assert.match(only?.problem ?? '', /did not respond within 100 ms|declared its response to be JSON/)
        await workspace.ok(cancel, { id: run.id })
      }
    })
  })

  describe('400', () => {
    it('for a run without a model, a feature or rows, with too many cases, or with an invalid address', async () => {
      const { workspace, target, connectionId } = await makeLaboratory(1)
      const refusalOf = (fields: object) =>
        workspace.refused(create, { datasetSlug: 'cases', target, ...fields }, 400)
      await makeLivePrompt(workspace, { slug: 'bare', text: 'x' }, { slug: 'bare', name: 'Bare' })
      const bare = { type: 'prompt', slug: 'bare', version: '1.0.0', connectionId }
      assert.match(await refusalOf({ target: bare }), /^target\.model: /)
      assert.match(await refusalOf({ target: { ...bare, model: 'm' } }), /^featureSlug: /)
      assert.match(
        await refusalOf({ target: { type: 'endpoint', url: 'ftp://x' }, featureSlug: 'chat' }),
        /^target\.url: /,
      )
      assert.match(await refusalOf({ repetitions: 21 }), /^repetitions: /)
      await makeDataset(workspace, { slug: 'empty', name: 'Empty' })
      assert.match(await refusalOf({ datasetSlug: 'empty' }), /^datasetSlug: has no rows/)
    })
  })

  describe('404', () => {
    it('if it names something that does not exist', async () => {
      const { workspace, target } = await makeLaboratory(1)
      const refusalOf = (fields: object) =>
        workspace.refused(create, { datasetSlug: 'cases', target, ...fields }, 404)
      await refusalOf({ datasetSlug: 'nobody' })
      await refusalOf({ rowIds: ['nobody'] })
      await refusalOf({ target: { ...target, slug: 'nobody' } })
      await refusalOf({ target: { ...target, version: '9.9.9' } })
      await refusalOf({ target: { ...target, connectionId: 'nobody' } })
      await refusalOf({ evaluatorSlugs: ['nobody'] })
      await refusalOf({ featureSlug: 'nobody' })
    })
  })
})

describe('experimentRuns.list', () => {
  it('200: returns the newest first, by experiment and by status, in pages', async () => {
    const { workspace, start } = await makeLaboratory(1)
    const runs = [await start(), await start()]
    for (const { id } of runs) await waitForEnd(workspace, id)
    const page = await workspace.ok(list, { limit: 1 })
    const rest = await workspace.ok(list, { limit: 1, cursor: page.nextCursor })
    assert.deepEqual(
      new Set([...page.runs, ...rest.runs].map(({ id }) => id)),
      new Set(runs.map(({ id }) => id)),
    )
    const { runs: own } = await workspace.ok(list, { experimentId: runs[0]!.experimentId })
    assert.deepEqual(
      own.map(({ id }) => id),
      [runs[0]!.id],
    )
    assert.deepEqual((await workspace.ok(list, { status: 'cancelled' })).runs, [])
  })

  it('400: for an invalid cursor', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
  })
})

describe('experimentRuns.cancel and experimentRuns.retry', () => {
  it('200: waiting cases do not start, and run after a retry', async () => {
    const { workspace, start } = await makeLaboratory(3)
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
    const url = await startEndpoint(async (_request, _body, response) => {
      await isOpen
      answerJson(response, { output: 'Pong' })
    })
    const run = await start({ target: { type: 'endpoint', url }, featureSlug: 'chat', concurrency: 1 })
    await eventually(async () => {
      assert.equal((await workspace.ok(get, { id: run.id })).run.counts.running, 1)
    })
    const cancelled = (await workspace.ok(cancel, { id: run.id })).run
    assert.deepEqual(
      [cancelled.status, cancelled.counts.cancelled, cancelled.counts.running],
      ['cancelled', 2, 1],
    )
    open()
    await eventually(async () => {
      assert.equal((await workspace.ok(get, { id: run.id })).run.counts.done, 1)
    })
    assert.equal((await workspace.ok(cancel, { id: run.id })).run.counts.cancelled, 2)
    const again = await workspace.ok(retry, { id: run.id })
    assert.deepEqual([again.retried, again.run.status], [2, 'running'])
    assert.equal((await waitForEnd(workspace, run.id)).counts.done, 3)
  })

  it('200: retries failed cases only', async () => {
    const { workspace, start } = await makeLaboratory(3)
    const calls = new Map<unknown, number>()
    let isFixed = false
    const url = await startEndpoint((_request, { input }, response) => {
      calls.set(input, (calls.get(input) ?? 0) + 1)
      const isBroken = input === 'number 1' && !isFixed
      answerJson(response, isBroken ? { no: 'way' } : { output: 'Pong' }, isBroken ? 400 : 200)
    })
    const run = await start({ target: { type: 'endpoint', url }, featureSlug: 'chat' })
    assert.deepEqual((await waitForEnd(workspace, run.id)).counts.failed, 1)
    isFixed = true
    assert.equal((await workspace.ok(retry, { id: run.id })).retried, 1)
    assert.equal((await waitForEnd(workspace, run.id)).counts.done, 3)
    assert.deepEqual(
      calls,
      new Map([
        ['number 0', 1],
        ['number 1', 2],
        ['number 2', 1],
      ]),
    )
    assert.equal((await workspace.ok(retry, { id: run.id, spendMax: 5 })).retried, 0)
    await workspace.refused(retry, { id: run.id, spendMax: -1 }, 400)
  })
})

it('404: for a run that does not exist', async () => {
  const workspace = await newWorkspace()
  for (const operation of [get, cancel, retry, cases])
    await workspace.refused(operation, { id: 'nobody' }, 404)
})

describe('experimentRuns.cases', () => {
  it('200: returns cases in the order of the rows, by status, in pages', async () => {
    const { workspace, start } = await makeLaboratory(3)
    const run = await start({ repetitions: 2 })
    await waitForEnd(workspace, run.id)
    const listedPositions: number[][] = []
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await workspace.ok(cases, {
        id: run.id,
        limit: 4,
        ...(cursor === undefined ? {} : { cursor }),
      })
      listedPositions.push(...page.cases.map(({ row, repetition }) => [row, repetition]))
      cursor = page.nextCursor
    }
    assert.deepEqual(listedPositions, [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ])
    assert.deepEqual((await workspace.ok(cases, { id: run.id, status: 'failed' })).cases, [])
    await workspace.refused(cases, { id: run.id, cursor: 'x' }, 400)
  })
})
