/** Notifications survive a `kill -9` between a change and its message, and only one of two nodes sends each. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { InputOf, Operation, OutputOf } from '@plumbline/contract'
import { operations } from '@plumbline/contract'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startPostgres } from '../../../../scripts/test/postgres-for-tests.ts'
import { type Running, startServer } from '../../../testing/server-process.ts'
import { startReceiver } from '../../../testing/webhook-receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const apiKey = 'pl_test_key_0123456789'
const running = new Set<Running>()
let isTaken = false
/** Until messages are accepted, it does not respond: that is when processes are killed. */
const receiver = await startReceiver((_request, response) => {
  if (isTaken) response.end('ok')
})
after(async () => {
  await Promise.all([...running].map((server) => server.stop('SIGKILL')))
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (name: string, settings: Record<string, string> = {}): Running => {
  const server = startServer(join(folder, name), apiKey, {
    PLUMBLINE_PRIVATE_CHANNEL_URLS: 'true',
    // The same on all nodes of one database.
    PLUMBLINE_SECRET_KEY: 'a-secret-key-of-the-crash-tests-0123456789',
    ...settings,
  })
  running.add(server)
  return server
}
const stop = async (server: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
  running.delete(server)
  return server.stop(signal)
}

async function call<Op extends Operation>(
  url: string,
  operation: Op,
  input: InputOf<Op>,
): Promise<OutputOf<Op>> {
  const hasBody = operation.method === 'POST'
  const answer = await fetch(url + operation.path, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(input) } : {}),
  })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  // Safe: the contract defines the response of a success.
  return JSON.parse(text) as OutputOf<Op>
}

/** An alert that fires at its first check, since nothing is recorded. */
const silence = {
  measure: 'traces',
  windowMinutes: 5,
  condition: 'below',
  threshold: 1,
  delaySeconds: 0,
} as const
const idsOf = (): string[] => receiver.requests.map(({ headers }) => String(headers['webhook-id']))

test('after kill -9 between a change and its message, the message is sent under the same id, and nothing is lost', async () => {
  let server = start('one')
  let url = await server.url
  const hook = { name: 'Hook', type: 'webhook', url: `${receiver.url}/crash` } as const
  const { channel } = await call(url, operations.channels.create, hook)
  const names = ['a', 'b', 'c']
  for (const name of names)
    await call(url, operations.alerts.create, { name, ...silence, channelIds: [channel.id] })
  await eventually(async () => assert.equal(new Set(idsOf()).size, names.length))
  const sentIds = new Set(idsOf())
  await stop(server, 'SIGKILL')

  isTaken = true
  server = start('one')
  url = await server.url
  const { events } = await eventually(async () => {
    const page = await call(url, operations.alerts.history, {})
    assert.ok(
      page.events.every(({ notifications }) => notifications.every(({ status }) => status === 'delivered')),
    )
    return page
  })
  assert.deepEqual(events.map(({ alertName }) => alertName).toSorted(), names)
  assert.ok(events.every(({ type, notifications }) => type === 'firing' && notifications.length === 1))
  assert.deepEqual(new Set(idsOf()), sentIds, 'each try of a message has its id')
  assert.equal(await stop(server, 'SIGTERM'), 0)
})

test('with two nodes on one PostgreSQL, one notices each change and one sends its notification', async () => {
  isTaken = true
  const database = await startPostgres()
  const engine = await startHttpEngine(join(folder, 'engine'))
  const shared = { DATABASE_URL: database.url, CLICKHOUSE_URL: engine.url }
  const nodes = [1, 2].map((node) => start(`node ${node}`, shared))
  after(async () => {
    await Promise.all(nodes.map((node) => stop(node, 'SIGKILL')))
    await engine.stop()
    await database.stop()
  })
  const [firstUrl = assert.fail(), two = assert.fail()] = await Promise.all(nodes.map((node) => node.url))
  const before = receiver.requests.length
  const hook = { name: 'Hook', type: 'webhook', url: `${receiver.url}/nodes` } as const
  const { channel } = await call(firstUrl, operations.channels.create, hook)
  const names = Array.from({ length: 20 }, (_, index) => `alert ${index}`)
  await Promise.all(
    names.map((name, index) =>
      call(index % 2 === 0 ? firstUrl : two, operations.alerts.create, {
        name,
        ...silence,
        channelIds: [channel.id],
      }),
    ),
  )
  const { events } = await eventually(async () => {
    const page = await call(two, operations.alerts.history, {})
    const notifications = page.events.flatMap(({ notifications }) => notifications)
    assert.equal(notifications.filter(({ status }) => status === 'delivered').length, names.length)
    return page
  })
  assert.deepEqual(events.map(({ alertName }) => alertName).toSorted(), names.toSorted())
  const ids = idsOf().slice(before)
  assert.deepEqual([ids.length, new Set(ids).size], [names.length, names.length])
  for (const node of nodes) assert.equal(await stop(node, 'SIGTERM'), 0)
})
