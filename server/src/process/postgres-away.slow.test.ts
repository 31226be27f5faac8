/**
 * PostgreSQL is killed and restarted, or hangs and recovers, while applications record: no acknowledged trace is lost or
 * duplicated.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../fixtures/eventually.ts'
import { startPostgres } from '../../../scripts/test/postgres-for-tests.ts'
import { countListed, findUnreadable, startOutageLoad } from '../../testing/record-through-outage.ts'
import { startServer } from '../../testing/server-process.ts'

const apiKey = 'pl_postgres_away_key_0123456789'
/** Traces before, during and after. */
const phaseTraces = 100
/** Nodes whose spool is in PostgreSQL refuse this many records before it is back. */
const phaseRefusals = 100

/** Cleans up in reverse order; the test runner's own hooks run in the order of registration. */
function makeCleanup(context: TestContext): AsyncDisposableStack {
  const cleanup = new AsyncDisposableStack()
  context.after(() => cleanup.disposeAsync())
  return cleanup
}

function makeFolder(cleanup: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function startDatabase(cleanup: AsyncDisposableStack) {
  const database = await startPostgres({ isDurable: true })
  cleanup.defer(() => database.stop())
  return database
}

/** Starts a node for each folder. */
async function startNodes(
  cleanup: AsyncDisposableStack,
  folders: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string[]> {
  const urls: string[] = []
  for (const folder of folders) {
    const running = startServer(folder, apiKey, { LOG_LEVEL: 'silent', ...settings })
    cleanup.defer(async () => {
      await running.stop('SIGKILL')
    })
    urls.push(await running.url)
  }
  return urls
}

async function assertDrained(urls: readonly string[]): Promise<void> {
  for (const url of urls)
    await eventually(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      assert.match(metrics, /^plumbline_spool_records 0$/m)
    })
}

type Database = Awaited<ReturnType<typeof startDatabase>>
interface Outage {
  readonly what: string
  readonly begin: (database: Database) => Promise<void>
  readonly end: (database: Database) => Promise<void>
}
const outages: readonly Outage[] = [
  { what: 'is away', begin: (database) => database.kill(), end: (database) => database.restart() },
  { what: 'hangs', begin: async (database) => database.hang(), end: async (database) => database.resume() },
]

type Ready = { status: number; body: { error?: string; degraded?: string[] } }
async function readReady(url: string): Promise<Ready> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: (await response.json()) as Ready['body'] }
}

async function recordOnOneNode(context: TestContext, { what, begin, end }: Outage): Promise<void> {
  const cleanup = makeCleanup(context)
  const folder = makeFolder(cleanup)
  const database = await startDatabase(cleanup)
  const urls = await startNodes(cleanup, [join(folder, 'node')], { DATABASE_URL: database.url })
  const load = startOutageLoad(urls, apiKey)
  cleanup.defer(() => load.stop().catch(() => undefined))
  const waitForMore = async (): Promise<void> => {
    const before = load.acknowledgedIds.size
    await eventually(async () => {
      assert.deepEqual(load.refusals, [])
      assert.ok(
        load.acknowledgedIds.size >= before + phaseTraces,
        `${load.acknowledgedIds.size} of ${before}`,
      )
    })
  }
  await waitForMore()
  const beforeCount = load.acknowledgedIds.size

  await begin(database)
  await waitForMore()
  const requested = [...load.acknowledgedIds]
  assert.deepEqual(await findUnreadable(urls, apiKey, requested), [])
  await eventually(async () => {
    const { status, body } = await readReady(urls[0]!)
    assert.deepEqual([status, body.degraded], [200, ['the control plane']])
  })
  const awayCount = load.acknowledgedIds.size - beforeCount

  await end(database)
  await waitForMore()
  await load.stop()
  assert.deepEqual(load.refusals, [])
  await assertDrained(urls)
  assert.deepEqual(await findUnreadable(urls, apiKey, load.acknowledgedIds), [])
  await eventually(async () => {
    const listed = await countListed(urls[0]!, apiKey)
    assert.deepEqual(
      [...listed].filter(([, times]) => times > 1),
      [],
    )
    assert.deepEqual([...listed.keys()].sort(), [...load.acknowledgedIds.keys()].sort())
  })
  console.log(
    `One node: ${load.acknowledgedIds.size} acknowledged, ${awayCount} of them while PostgreSQL ${what}; 0 refused, 0 lost, 0 doubled; all ${requested.length} of before read meanwhile`,
  )
}

async function recordOnTwoNodes(context: TestContext, { what, begin, end }: Outage): Promise<void> {
  const cleanup = makeCleanup(context)
  const folder = makeFolder(cleanup)
  const engine = await startHttpEngine(join(folder, 'engine'))
  cleanup.defer(() => engine.stop())
  const database = await startDatabase(cleanup)
  const urls = await startNodes(cleanup, [join(folder, 'one'), join(folder, 'two')], {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: engine.url,
    PLUMBLINE_SECRET_KEY: 'a secret that the nodes of this test share',
  })
  const load = startOutageLoad(urls, apiKey)
  cleanup.defer(() => load.stop().catch(() => undefined))
  const waitForMore = async (): Promise<void> => {
    const before = load.acknowledgedIds.size
    await eventually(async () => assert.ok(load.acknowledgedIds.size >= before + phaseTraces))
  }
  await waitForMore()
  assert.deepEqual(load.refusals, [])

  await begin(database)
  await eventually(async () => assert.ok(load.refusals.length >= phaseRefusals))
  for (const url of urls)
    await eventually(async () => {
      const { status, body } = await readReady(url)
      assert.deepEqual([status, body.error], [503, 'The spool in PostgreSQL could not be written.'])
    })

  await end(database)
  await waitForMore()
  await load.stop()
  for (const { status, text } of load.refusals) {
    assert.equal(status, 503, text)
    assert.match(text, /cannot accept records now: The spool in PostgreSQL could not be written\./)
  }
  await assertDrained(urls)
  assert.deepEqual(await findUnreadable(urls, apiKey, load.acknowledgedIds), [])
  const listed = await eventually(async () => {
    const counts = await countListed(urls[1]!, apiKey)
    assert.deepEqual(
      [...load.acknowledgedIds.keys()].filter((name) => !counts.has(name)),
      [],
    )
    return counts
  })
  assert.deepEqual(
    [...listed].filter(([, times]) => times > 1),
    [],
  )
  // A commit whose response was lost may have succeeded: such a trace is stored once, though its client was told to send it
  // again.
  const unanswered = listed.size - load.acknowledgedIds.size
  console.log(
    `Two nodes: ${load.acknowledgedIds.size} acknowledged, ${load.refusals.length} refused while PostgreSQL ${what} (${unanswered} of them stored); 0 lost, 0 doubled`,
  )
}

for (const outage of outages) {
  test(`one node continues to record while PostgreSQL ${outage.what}`, (context) =>
    recordOnOneNode(context, outage))
  test(`nodes whose spool is in PostgreSQL refuse records while it ${outage.what}, and lose nothing`, (context) =>
    recordOnTwoNodes(context, outage))
}
