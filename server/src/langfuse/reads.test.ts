// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../testing/test-app.ts'

const { app, newWorkspace, send } = await startTestApp()

async function request(
  { key }: TestWorkspace,
  method: 'GET' | 'POST',
  path: string,
  payload?: object,
  status = 200,
) {
  const answer = await send({
    method,
    url: `/api/public${path}`,
    ...(payload === undefined ? {} : { payload }),
    headers: { authorization: `Basic ${Buffer.from(`pk:${key.secret}`).toString('base64')}` },
  })
  assert.equal(answer.status, status, answer.text)
  return JSON.parse(answer.text)
}

describe('GET /api/public/traces/{id}', () => {
  it("does not mistake metadata with Langfuse's names for Langfuse's fields", async () => {
    const workspace = await newWorkspace()
    const metadata = [
      { langfuse: null, parameters: null, team: 'blue' },
      { langfuse: { type: 5, level: {}, version: null }, parameters: 'none', team: 'blue' },
    ]
    for (const each of metadata) {
      const { id } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'tool', metadata: each }] })
      const [observation] = (await request(workspace, 'GET', `/traces/${id}`)).observations
      const { type, level, version, modelParameters } = observation
      assert.deepEqual([type, level, version, modelParameters], ['TOOL', 'DEFAULT', null, {}])
      assert.deepEqual(observation.metadata, { team: 'blue' })
    }
  })
})

describe('a trace whose id an application chose', () => {
  it('is found by that id even if it is a UUIDv7 like ours, and an error names that id', async () => {
    const workspace = await newWorkspace()
    const id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const unknownId = id.replace('01890a5d', '01890a5e')
    const body = { id, name: 'chosen' }
    const event = { id: 'e', type: 'trace-create', timestamp: '2026-11-01T10:00:00.000Z', body }
    await request(workspace, 'POST', '/ingestion', { batch: [event] }, 207)
    const { name, id: shownId } = await request(workspace, 'GET', `/traces/${id}`)
    assert.deepEqual([name, shownId], ['chosen', id])
    const { error } = await request(workspace, 'GET', `/traces/${unknownId}`, undefined, 404)
    assert.equal(error, `No trace has the id "${unknownId}".`)
  })
})

describe('GET /api/public/observations', () => {
  it('returns durations with microseconds, and no negative ones', async () => {
    const workspace = await newWorkspace()
    const startTime = '2026-01-02T03:04:00.000900Z'
    const logs = [
      { id: 'a', type: 'tool', startTime, endTime: '2026-01-02T03:04:00.002100Z' },
      { id: 'b', type: 'tool', startTime, endTime: '2026-01-02T02:04:00Z' },
    ]
    const { id } = await recordTrace(workspace, { logs })
    const { data } = await request(workspace, 'GET', `/observations?traceId=${id}`)
    assert.deepEqual(
      data.map(({ latency }: { readonly latency: unknown }) => latency),
      [0.0012, null],
    )
  })
})

describe('a list', () => {
  it('of traces returns those with all of the tags and any of the environments', async () => {
    const workspace = await newWorkspace()
    for (const [name, environment, tags] of [
      ['one', 'production', ['a', 'b']],
      ['two', 'staging', ['b', 'a', 'c']],
      ['three', 'production', ['a']],
      ['four', 'test', ['a', 'b']],
    ])
      await recordTrace(workspace, { name, environment, tags })
    await app.flush()
    const query = '/traces?tags=a&tags=b&environment=production&environment=staging&orderBy=timestamp.desc'
    const { data } = await request(workspace, 'GET', query)
    assert.deepEqual(data.map(({ name }: { name: string }) => name).sort(), ['one', 'two'])
  })

  it('501: for a filter that it would ignore', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { name: 'plain' })
    for (const [path, name] of [
      ['/traces?version=2', 'version'],
      ['/traces?filter=[]', 'filter'],
      ['/traces?orderBy=name.asc', 'orderBy'],
      ['/scores?userId=ada', 'userId'],
      ['/v2/scores?operator=>&value=5', 'operator'],
      [`/observations?traceId=${id}&level=ERROR`, 'level'],
    ] as const) {
      const { error } = await request(workspace, 'GET', path, undefined, 501)
      assert.equal(
        error,
        `Plumbline does not support the parameter \`${name}\` for this list of Langfuse's API.`,
      )
    }
  })
})

describe('a trace that was recorded without spans', () => {
  it('can be scored and linked by the id under which it is listed', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { name: 'plain' })
    await app.flush()
    const [listed] = (await request(workspace, 'GET', '/traces')).data
    assert.equal(listed.id, id)
    await request(workspace, 'POST', '/scores', { traceId: listed.id, name: 'right', value: 1 })
    const { scores } = (await workspace.ok(operations.traces.get, { id })).trace
    assert.deepEqual(
      scores.map(({ name, value }) => [name, value]),
      [['right', 1]],
    )
    await app.flush()
    assert.equal((await request(workspace, 'GET', `/scores?traceId=${listed.id}`)).data.length, 1)

    await request(workspace, 'POST', '/v2/datasets', { name: 'capitals' })
    const item = await request(workspace, 'POST', '/dataset-items', { datasetName: 'capitals', input: 'a' })
    const link = { runName: 'first', datasetItemId: item.id, traceId: listed.id }
    const { datasetRunId } = await request(workspace, 'POST', '/dataset-run-items', link)
    await eventually(async () => {
      const { trace } = await workspace.ok(operations.traces.get, { id })
      assert.equal(trace.experiment?.id, datasetRunId)
    })
  })
})

describe('a prompt whose name is the slug of another', () => {
  it('is a separate prompt, and traces of it name it', async () => {
    const workspace = await newWorkspace()
    const make = (name: string, prompt: string) =>
      request(workspace, 'POST', '/v2/prompts', { name, prompt, labels: ['production'] }, 201)
    const serve = async (name: string) => {
      const served = await request(workspace, 'GET', `/v2/prompts/${encodeURIComponent(name)}`)
      return [served.name, served.version, served.prompt]
    }
    await make('Movie Critic', 'Long.')
    assert.deepEqual(await serve('movie-critic'), ['Movie Critic', 1, 'Long.'])
    await make('movie-critic', 'Short.')
    await make('movie-critic', 'Shorter.')
    assert.deepEqual(await serve('Movie Critic'), ['Movie Critic', 1, 'Long.'])
    assert.deepEqual(await serve('movie-critic'), ['movie-critic', 2, 'Shorter.'])

    const traceId = '01890a5d-ac96-774b-bcce-b302099a8058'
    const timestamp = '2026-11-01T10:00:00.000Z'
    const body = {
      id: 'g',
      traceId,
      name: 'call',
      startTime: timestamp,
      promptName: 'movie-critic',
      promptVersion: 2,
    }
    const event = { id: 'e', type: 'generation-create', timestamp, body }
    await request(workspace, 'POST', '/ingestion', { batch: [event] }, 207)
    const { prompts } = await workspace.ok(operations.prompts.list, {})
    const { slug } = prompts.find(({ name }) => name === 'movie-critic')!
    const { observations } = await request(workspace, 'GET', `/traces/${traceId}`)
    const generation = observations.find(({ name }: { readonly name: string }) => name === 'call')
    assert.deepEqual([generation.promptName, generation.promptVersion], [slug, 2])
  })
})
