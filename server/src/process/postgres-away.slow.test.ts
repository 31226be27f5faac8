/** PostgreSQL is killed and comes back while applications record: nothing that was acknowledged is lost or doubled. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { startPostgres } from '../../../scripts/postgres-for-tests.ts'
import { countListed, findUnreadable, startOutageLoad } from '../../testing/record-through-outage.ts'
import { startServer } from '../../testing/server-process.ts'
import { startTraceEngine } from '../../testing/trace-engine-process.ts'

const apiKey = 'pl_postgres_away_key_0123456789'
/** Traces before, during and after. */
const phaseTraces = 300
/** Nodes whose spool is in PostgreSQL refuse so many before it comes back. */
const phaseRefusals = 300

/** Ends what a test started, the last first: hooks of the runner begin with the first. */
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

/** Nodes on a database, and on a trace store that they share if it is given. */
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

type Ready = { status: number; body: { error?: string; degraded?: string[] } }
async function readReady(url: string): Promise<Ready> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: (await response.json()) as Ready['body'] }
}

test('one node goes on recording while PostgreSQL is away', async (context) => {
  const cleanup = makeCleanup(context)
  const folder = makeFolder(cleanup)
  const database = await startDatabase(cleanup)
  const urls = await startNodes(cleanup, [join(folder, 'node')], { DATABASE_URL: database.url })
  const load = startOutageLoad(urls, apiKey)
  cleanup.defer(() => load.stop().catch(() => undefined))
  const waitForMore = async (): Promise<void> => {
    const before = load.acknowledged.size
    await eventually(async () => {
      assert.deepEqual(load.refusals, [])
      assert.ok(load.acknowledged.size >= before + phaseTraces, `${load.acknowledged.size} of ${before}`)
    })
  }
  await waitForMore()
  const beforeCount = load.acknowledged.size

  await database.kill()
  await waitForMore()
  // Spans that are in no trace yet are in PostgreSQL, and so is who may read: nobody is told that a trace does not exist.
  const traces = [...load.acknowledged]
  const requested = [...traces.slice(0, 50), ...traces.slice(-50)]
  const unreadable = await findUnreadable(urls, apiKey, requested)
  for (const answer of unreadable) assert.match(answer, /: 503 .*try again soon/)
  await eventually(async () => {
    const { status, body } = await readReady(urls[0]!)
    assert.deepEqual([status, body.degraded], [200, ['the control plane']])
  })
  const awayCount = load.acknowledged.size - beforeCount

  await database.restart()
  await waitForMore()
  await load.stop()
  assert.deepEqual(load.refusals, [])
  await assertDrained(urls)
  assert.deepEqual(await findUnreadable(urls, apiKey, load.acknowledged), [])
  await eventually(async () => {
    const listed = await countListed(urls[0]!, apiKey)
    assert.deepEqual(
      [...listed].filter(([, times]) => times > 1),
      [],
    )
    assert.deepEqual([...listed.keys()].sort(), [...load.acknowledged.keys()].sort())
  })
  console.log(
    `One node: ${load.acknowledged.size} acknowledged, ${awayCount} of them while PostgreSQL was away; 0 refused, 0 lost, 0 doubled; ${requested.length - unreadable.length} of ${requested.length} read while it was away`,
  )
})

test('nodes whose spool is in PostgreSQL refuse while it is away, and lose nothing', async (context) => {
  const cleanup = makeCleanup(context)
  const folder = makeFolder(cleanup)
  const engine = await startTraceEngine(join(folder, 'engine'))
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
    const before = load.acknowledged.size
    await eventually(async () => assert.ok(load.acknowledged.size >= before + phaseTraces))
  }
  await waitForMore()
  assert.deepEqual(load.refusals, [])

  await database.kill()
  await eventually(async () => assert.ok(load.refusals.length >= phaseRefusals))
  for (const url of urls)
    await eventually(async () => {
      const { status, body } = await readReady(url)
      assert.deepEqual([status, body.error], [503, 'The spool in PostgreSQL could not be written.'])
    })

  await database.restart()
  await waitForMore()
  await load.stop()
  for (const { status, text } of load.refusals) {
    assert.equal(status, 503, text)
    assert.match(text, /cannot take records now: The spool in PostgreSQL could not be written\./)
  }
  await assertDrained(urls)
  assert.deepEqual(await findUnreadable(urls, apiKey, load.acknowledged), [])
  const listed = await eventually(async () => {
    const counts = await countListed(urls[1]!, apiKey)
    assert.deepEqual(
      [...load.acknowledged.keys()].filter((name) => !counts.has(name)),
      [],
    )
    return counts
  })
  assert.deepEqual(
    [...listed].filter(([, times]) => times > 1),
    [],
  )
  // A commit whose answer was lost may have happened: such a trace is there once, though its client was told to send it again.
  const unanswered = listed.size - load.acknowledged.size
  console.log(
    `Two nodes: ${load.acknowledged.size} acknowledged, ${load.refusals.length} refused while PostgreSQL was away (${unanswered} of them stored); 0 lost, 0 doubled`,
  )
})
