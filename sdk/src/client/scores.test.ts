// A process of its own: it moves the clock, which would sign out the people of other tests.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace } from '../../../server/testing/test-app.ts'
import { type ClientOptions, createClient } from '../index.ts'
import { answerWith, type Fate, fates, startProxy, startService } from '../testing.ts'

const { url, workspace } = await startService()
const proxy = await startProxy(url)

type Value = string | number | boolean

/** A client of the proxy that retries quickly, and the values of scores in the order in which it sent them. */
function quickClient(options: Partial<ClientOptions> = {}) {
  const tried: Value[] = []
  const client = createClient({
    baseUrl: proxy.url,
    apiKey: workspace.key.secret,
    batchDelayMs: 1,
    pauseMsMin: 1,
    pauseMsMax: 20,
    onError: () => {},
    fetch: (address, init) => {
      const value = JSON.parse(new TextDecoder().decode(init!.body as Uint8Array))?.value
      // Its retry follows right after it.
      if (value !== undefined && value !== tried.at(-1)) tried.push(value)
      return fetch(address, init)
    },
    ...options,
  })
  return { client, tried }
}

const storedValues = async (id: string): Promise<Value[]> =>
  (await workspace.ok(operations.traces.get, { id })).trace.scores.map(({ value }) => value)

describe("one user's repeated changes of a score", () => {
  const faults: Record<string, Fate> = {
    'cannot be sent': fates.breakOff,
    'is not answered in time': fates.hang,
    'is stored, and its answer lost': fates.loseAnswer,
    'meets an outage': answerWith(503, '{"error":"Away."}'),
    'makes the service itself fail': answerWith(500, '{"error":"Broken."}'),
  }
  for (const [fault, fate] of Object.entries(faults)) {
    it(`arrive in order although the first ${fault}`, async () => {
      const { client, tried } = quickClient({ timeoutMs: 1000 })
      const { id: traceId } = await recordTrace(workspace)
      proxy.fate(fates.pass, fate, fate)
      const flips = ['up', 'down', 'up again', 'down at last']
      for (const value of flips) client.score({ traceId, name: 'thumb', value, userId: 'ada' })
      const { delivered, pending } = await client.flush({ timeoutMs: 60_000 })
      assert.deepEqual([delivered, pending], [4, 0])
      assert.deepEqual(tried, flips)
      assert.deepEqual(await storedValues(traceId), ['down at last'])
    })
  }

  it('do not wait for one that was rejected', async () => {
    const { client } = quickClient()
    const { id: traceId } = await recordTrace(workspace)
    proxy.fate(fates.pass)
    for (const value of [null as unknown as boolean, true, false])
      client.score({ traceId, name: 'thumb', value, userId: 'ada' })
    const { dropped, delivered } = await client.flush()
    assert.deepEqual([dropped.refused, delivered], [1, 2])
    assert.deepEqual(await storedValues(traceId), [false])
  })

  it('do not wait for one that was dropped', async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const failed = Promise.withResolvers<unknown>()
    const { client } = quickClient({ onError: failed.resolve })
    const { id: traceId } = await recordTrace(workspace)
    const flip = (value: boolean) => client.score({ traceId, name: 'thumb', value, userId: 'ada' })
    proxy.fate(fates.breakOff)
    flip(true)
    await failed.promise
    context.mock.timers.tick(23 * 3_600_000 + 60_000)
    flip(false)
    proxy.fate(fates.pass)
    const { dropped, delivered, pending } = await client.flush()
    assert.deepEqual([dropped.expired, delivered, pending], [1, 1, 0])
    assert.deepEqual(await storedValues(traceId), [false])
  })

  it('all count as pending, and as lost if the client is closed first', async () => {
    const { client } = quickClient()
    const { id: traceId } = await recordTrace(workspace)
    proxy.fate(fates.hang)
    for (const value of [true, false, true]) client.score({ traceId, name: 'thumb', value, userId: 'ada' })
    assert.equal((await client.flush({ timeoutMs: 20 })).pending, 3)
    const { dropped, pending, pendingBytes } = await client.close({ timeoutMs: 0 })
    assert.deepEqual([dropped.closed, pending, pendingBytes], [3, 0, 0])
  })
})

it('scores of other users, names, logs and traces, scores without a user, and traces do not wait', async () => {
  const { client, tried } = quickClient({ concurrency: 2 })
  const { id: traceId } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'tool' }] })
  const { id: otherId } = await recordTrace(workspace)
  const hanging = Promise.withResolvers<void>()
  proxy.fate(fates.pass, () => hanging.resolve())
  const score = { traceId, name: 'thumb', userId: 'ada' }
  client.score({ ...score, value: 'hangs' })
  await hanging.promise
  client.score({ ...score, logId: null, value: 'waits' })
  client.score({ ...score, userId: 'bob', value: 'of another user' })
  client.score({ ...score, name: 'stars', value: 'of another name' })
  client.score({ ...score, logId: 'a', value: 'of a log' })
  client.score({ ...score, traceId: otherId, value: 'of another trace' })
  client.score({ traceId, name: 'thumb', value: 'of nobody' })
  const trace = client.trace()
  trace.end()
  assert.ok(await trace.recorded())
  while (client.stats.pending > 2) await client.flush({ timeoutMs: 5 })
  assert.deepEqual(tried, [
    'hangs',
    'of another user',
    'of another name',
    'of a log',
    'of another trace',
    'of nobody',
  ])
  await client.close({ timeoutMs: 0 })
})

it('a trace resolves with its id once it is stored, so that a score with that id finds it', async () => {
  const { client } = quickClient()
  proxy.fate(fates.pass, fates.breakOff, fates.loseAnswer)
  const trace = client.trace({ name: 'scored at once' })
  trace.end()
  const traceId = (await trace.recorded())!.trace.id
  client.score({ traceId, name: 'thumb', value: true, userId: 'ada' })
  assert.equal((await client.flush()).delivered, 2)
  assert.deepEqual(await storedValues(traceId), [true])
})

it('an invalid score is counted, and does not throw into the application', async () => {
  const { client } = quickClient()
  proxy.fate(fates.pass)
  const circle: { itself?: unknown } = {}
  circle.itself = circle
  client.score(undefined as never)
  client.score({ traceId: circle, name: 'thumb', value: 5n, userId: circle } as never)
  assert.equal((await client.flush()).dropped.refused, 2)
})
