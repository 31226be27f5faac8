// A process of its own: it moves the clock, which would sign out the people of other tests.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { type ClientOptions, createClient, RecordDropped } from '../index.ts'
import { answerWith, fates, startProxy, startService } from '../testing.ts'

const service = await startService()
const proxy = await startProxy(service.url)

/** A client of the proxy that retries quickly, and the errors that it reported. */
function quickClient(options: Partial<ClientOptions> = {}) {
  const errors: Error[] = []
  const client = createClient({
    baseUrl: proxy.url,
    apiKey: service.workspace.key.secret,
    batchDelayMs: 1,
    pauseMsMin: 1,
    pauseMsMax: 20,
    onError: (error) => errors.push(error),
    ...options,
  })
  return { client, errors }
}

/** A promise that never settles. */
const never = new Promise<never>(() => {})

/** The number of stored traces by name. */
async function storedNames(prefix: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let cursor: string | undefined
  do {
    const input = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) }
    const page = await service.workspace.ok(operations.traces.list, input)
    for (const { name } of page.traces)
      if (name.startsWith(prefix)) counts.set(name, (counts.get(name) ?? 0) + 1)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return counts
}

/** Lists show a trace a moment after it was acknowledged. */
async function assertStoredOnce(prefix: string, count: number): Promise<void> {
  const names = await eventually(async () => {
    const storedCounts = await storedNames(prefix)
    assert.equal(storedCounts.size, count)
    return storedCounts
  })
  assert.deepEqual(
    [...names.values()].filter((times) => times !== 1),
    [],
  )
}

describe('a finished trace', () => {
  it('is sent with any concurrency', async () => {
    for (const concurrency of [0, Number.NaN]) {
      const { client } = quickClient({ concurrency })
      client.trace({ name: 'one at a time' }).end()
      const { pending, delivered } = await client.flush({ timeoutMs: 5000 })
      assert.deepEqual([pending, delivered > 0], [0, true], String(concurrency))
      await client.close()
    }
  })

  it('is stored once although the service breaks off, hangs, loses responses, rejects requests for a while and returns nonsense', async () => {
    const { client } = quickClient({ timeoutMs: 300, concurrency: 3 })
    const faults = [
      fates.breakOff,
      fates.loseAnswer,
      answerWith(503, '{"error":"Away."}'),
      fates.loseAnswer,
      fates.hang,
      fates.stall,
      answerWith(500, '{"error":"Broken."}'),
      answerWith(429, '{"error":"Slower."}', { 'retry-after': '0' }),
      answerWith(502, '<html>Bad gateway</html>'),
      answerWith(404, '<html>No such host</html>'),
      answerWith(200, '<html>Please log in</html>'),
      fates.loseAnswer,
    ]
    proxy.fate(fates.pass, ...faults)
    // Large enough for each to be sent alone.
    const input = 'x'.repeat(600_000)
    for (let each = 0; each < 24; each++) client.trace({ name: `fault ${each}`, input }).end()
    const stats = await client.flush({ timeoutMs: 120_000 })
    assert.equal(stats.delivered, 24)
    assert.equal(stats.pending, 0)
    assert.equal(stats.pendingBytes, 0)
    assert.equal(client.dropped, 0)
    assert.ok(stats.retried >= faults.length, String(stats.retried))
    await assertStoredOnce('fault ', 24)
  })

  it('waits through an outage, which is reported once', async () => {
    const { client, errors } = quickClient()
    const from = proxy.requests.length
    proxy.fate(fates.breakOff)
    const trace = client.trace({ name: 'outage' })
    trace.end()
    while (proxy.requests.length < from + 4) await client.flush({ timeoutMs: 5 })
    assert.equal(client.stats.pending, 1)
    proxy.fate(fates.pass)
    await client.flush()
    assert.equal(errors.length, 1)
    assert.match(errors[0]!.message, /cannot be reached/)
    const recorded = await trace.recorded()
    const { trace: storedTrace } = await service.workspace.ok(operations.traces.get, {
      id: recorded!.trace.id,
    })
    assert.equal(storedTrace.name, 'outage')
  })

  it('is not sent before the time in Retry-After', async () => {
    const { client } = quickClient()
    const from = proxy.requests.length
    proxy.fate(fates.pass, answerWith(429, '{"error":"Slower."}', { 'retry-after': '1' }))
    client.trace({ name: 'asked to wait' }).end()
    await client.flush()
    const [first, second] = proxy.requests.slice(from)
    assert.ok(second!.atMs - first!.atMs >= 990, `${second!.atMs - first!.atMs} ms`)
  })

  it('that the service rejects is dropped, counted and reported, and does not delay the others', async () => {
    const { client, errors } = quickClient()
    proxy.fate(fates.pass)
    const refusal = answerWith(400, '{"error":"startTimeUnixNano: must be a number"}')
    proxy.fate(fates.pass, refusal, refusal)
    const refused = client.trace({ name: 'refused' })
    refused.end()
    client.trace({ name: 'next' }).end()
    const stats = await client.flush()
    assert.equal(stats.dropped.refused, 1)
    assert.equal(stats.delivered, 1)
    assert.equal(await refused.recorded(), undefined)
    assert.ok(errors[0] instanceof RecordDropped)
    assert.match(errors[0].message, /startTimeUnixNano: must be a number/)
  })

  it('that makes the service fail does not block the others', async () => {
    const { client } = quickClient({ concurrency: 1 })
    const poison = answerWith(500, '{"error":"Broken."}')
    // All together, then the first alone.
    proxy.fate(fates.pass, poison, poison)
    const traces = ['poison', 'second', 'third'].map((name) => client.trace({ name }))
    for (const trace of traces) trace.end()
    const order: string[] = []
    const recorded = traces.map((trace, index) => trace.recorded().then(() => order.push(String(index))))
    await client.flush()
    await Promise.all(recorded)
    assert.deepEqual(order, ['1', '2', '0'])
  })
})

describe('while the service is away', () => {
  it('the number of waiting records is bounded, the rest is counted, and the waiting ones are delivered in the end', async () => {
    const { client, errors } = quickClient({ recordsMax: 20 })
    proxy.fate(fates.breakOff)
    for (let each = 0; each < 50; each++) client.trace({ name: `bounded ${each}` }).end()
    assert.equal(client.stats.pending, 20)
    assert.equal(client.stats.dropped.buffer_full, 30)
    assert.equal(client.dropped, 30)
    assert.equal(errors.filter((error) => error instanceof RecordDropped).length, 30)
    proxy.fate(fates.pass)
    assert.equal((await client.flush()).delivered, 20)
    await assertStoredOnce('bounded ', 20)
  })

  it('the number of waiting bytes is bounded', async () => {
    const { client } = quickClient({ bytesMax: 10_000 })
    proxy.fate(fates.breakOff)
    for (let each = 0; each < 50; each++) client.trace({ name: 'bytes', output: 'é'.repeat(400) }).end()
    const { pending, pendingBytes, dropped } = client.stats
    assert.ok(pendingBytes <= 10_000 && pendingBytes > 8_000, String(pendingBytes))
    assert.equal(pending + dropped.buffer_full, 50)
    proxy.fate(fates.pass)
    await client.flush()
  })

  it('a single request probes whether it is back, and then concurrency stays within its limit', async () => {
    let underWay = 0
    const busy: number[] = []
    const { client } = quickClient({
      concurrency: 3,
      fetch: async (input, init) => {
        busy.push(++underWay)
        try {
          return await fetch(input, init)
        } finally {
          underWay--
        }
      },
    })
    proxy.fate(fates.pass, ...Array.from({ length: 8 }, () => fates.breakOff))
    const input = 'x'.repeat(600_000)
    for (let each = 0; each < 16; each++) client.trace({ name: 'crowd', input }).end()
    await client.flush()
    assert.equal(busy.length, 24)
    assert.deepEqual(busy.slice(0, 9), [1, 2, 3, 1, 1, 1, 1, 1, 1])
    assert.equal(Math.max(...busy), 3)
  })

  it('flush and close end in time, and close drops what is left and accepts nothing more', async () => {
    const { client } = quickClient()
    proxy.fate(fates.hang)
    const trace = client.trace({ name: 'lost' })
    trace.end()
    assert.equal((await client.flush({ timeoutMs: 20 })).pending, 1)
    assert.equal((await client.close({ timeoutMs: 20 })).pending, 0)
    client.trace({ name: 'late' }).end()
    assert.equal(client.stats.dropped.closed, 2)
    assert.equal(await trace.recorded(), undefined)
  })

  it('a flush waits for earlier records, and not for later ones', async () => {
    const { client } = quickClient()
    proxy.fate(fates.pass)
    client.trace({ name: 'before' }).end()
    const flushed = client.flush()
    proxy.fate(fates.hang, fates.pass)
    const after = client.trace({ name: 'after' })
    after.end()
    const { delivered, pending } = await flushed
    assert.deepEqual([delivered, pending], [1, 1])
    await client.close({ timeoutMs: 0 })
  })

  it('an error callback that throws does no harm', async () => {
    const { client } = quickClient({
      recordsMax: 0,
      onError: () => {
        throw new Error('The callback is broken.')
      },
    })
    client.trace({ name: 'no room' }).end()
    assert.equal(client.dropped, 1)
  })
})

describe('in workers, where timers and fetches end with the request that started them', () => {
  it('each request that flushes has its traces delivered', async () => {
    const requests = new AsyncLocalStorage<{ isOver: boolean }>()
    const { client } = quickClient({
      concurrency: 1,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        return requests.getStore()?.isOver === true ? never : response
      },
    })
    proxy.fate(fates.pass)
    const handle = async (name: string): Promise<void> => {
      client.trace({ name }).end()
      await client.flush()
      requests.getStore()!.isOver = true
    }
    const names = Array.from({ length: 10 }, (_, index) => `worker ${index}`)
    await Promise.all(names.map((name) => requests.run({ isOver: false }, () => handle(name))))
    assert.deepEqual([client.stats.pending, client.stats.delivered], [0, 10])
    await assertStoredOnce('worker ', 10)
  })

  it('records that were lost with a request are sent again by a later one', async (context) => {
    let nowMs = performance.now()
    context.mock.method(performance, 'now', () => nowMs)
    let isFirst = true
    const { client } = quickClient({
      concurrency: 1,
      fetch: async (input, init) => {
        const isTaken = isFirst
        isFirst = false
        const response = await fetch(input, init)
        return isTaken ? never : response
      },
    })
    proxy.fate(fates.pass)
    client.trace({ name: 'taken along' }).end()
    client.score({ traceId: '0'.repeat(32), name: 'thumb', value: true })
    await client.flush({ timeoutMs: 1 })
    nowMs += 60_000
    const { pending, delivered, dropped } = await client.flush()
    assert.deepEqual([pending, delivered, dropped.refused], [0, 1, 1])
    await assertStoredOnce('taken along', 1)
  })
})

it('a record that could not be delivered while the service remembers its key is dropped and counted', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { client, errors } = quickClient()
  proxy.fate(fates.breakOff)
  const trace = client.trace({ name: 'expired' })
  trace.end()
  while (client.stats.retried === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  context.mock.timers.tick(23 * 3_600_000 + 60_000)
  const { dropped, delivered, pending } = await client.flush()
  assert.deepEqual([dropped.expired, delivered, pending], [1, 0, 0])
  assert.equal(await trace.recorded(), undefined)
  assert.match(errors.at(-1)!.message, /23 hours/)
})

it('a trace that is too large for the service is dropped and counted, and one that grows too large loses what does not fit', async () => {
  const { client } = quickClient()
  proxy.fate(fates.pass)
  const large = client.trace({ name: 'large', output: 'x'.repeat(16 * 2 ** 20) })
  large.span({ name: 'still here', output: 'kept' }).end()
  large.end()
  const stats = await client.flush()
  assert.equal(stats.dropped.too_large, 1)
  assert.equal(stats.delivered, 2)
  const { trace } = await service.workspace.ok(operations.traces.get, {
    id: (await large.recorded())!.trace.id,
  })
  assert.equal(trace.output, '[left out: the span would be too large]')
  assert.equal(trace.logs[1]!.output, 'kept')
  client.trace({ name: 'large in UTF-8', output: '記'.repeat(6 * 2 ** 20) }).end()
  assert.equal(client.stats.dropped.too_large, 2)
})

it('a value that is too large is left out without reading all of it', async () => {
  let readCount = 0
  const numbers = new Proxy(Array(5_000_000).fill(123_456), {
    get(target, name) {
      readCount++
      return Reflect.get(target, name, target)
    },
  })
  proxy.fate(fates.pass)
  for (const mask of [undefined, (value: unknown) => value]) {
    const { client } = quickClient({ mask })
    readCount = 0
    const trace = client.trace({
      name: 'five million numbers',
      input: numbers,
      metadata: { numbers, kept: 1 },
    })
    trace.end({ error: numbers })
    assert.equal(await client.flush().then(({ delivered }) => delivered), 1)
    assert.ok(readCount < 15_000_000, `${readCount} reads of three values`)
    assert.ok(client.stats.dropped.too_large >= 3)
    const { trace: storedTrace } = await service.workspace.ok(operations.traces.get, { id: trace.traceId })
    assert.equal(storedTrace.input, '[left out: the span would be too large]')
    assert.equal(storedTrace.totals.errors, 1)
  }
})
