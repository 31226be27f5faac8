/** The disk of a service fills up while applications record, and is freed again: the service recovers by itself. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { startPostgres } from '../../../scripts/test/postgres-for-tests.ts'
import {
  countListed,
  findUnreadable,
  type OutageLoad,
  startOutageLoad,
} from '../../testing/record-through-outage.ts'
import { startServer } from '../../testing/server-process.ts'
import { mountSmallDisk } from '../../testing/small-disk.ts'

const apiKey = 'pl_full_disk_key_0123456789'
const mebibyte = 1024 ** 2
const diskBytes = 256 * mebibyte
/** A tenth of the disk is reserved for the trace store. */
const reserveBytes = diskBytes / 10
/** Traces before and after the outage, and refusals in between. */
const phaseTraces = 300
const phaseRefusals = 300

type Ready = { status: number; body: { error?: string; degraded?: string[] } }
async function readReady(url: string): Promise<Ready> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: (await response.json()) as Ready['body'] }
}

async function waitForMore(load: OutageLoad): Promise<void> {
  const before = load.acknowledgedIds.size
  await eventually(async () =>
    assert.ok(load.acknowledgedIds.size >= before + phaseTraces, String(load.acknowledgedIds.size - before)),
  )
}

async function assertDrained(url: string): Promise<void> {
  await eventually(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    assert.match(metrics, /^plumbline_spool_records 0$/m)
  })
}

/** Asserts that records are refused, and that the node is not ready, because of a full disk. */
async function assertRefusing(url: string, load: OutageLoad): Promise<void> {
  const before = load.refusals.length
  await eventually(async () => assert.ok(load.refusals.length >= before + phaseRefusals))
  await eventually(async () => {
    const { status, body } = await readReady(url)
    assert.equal(status, 503)
    assert.match(body.error ?? '', /^The spool disk is full/)
  })
}

let features = 0
async function makeFeature(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/features`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: `feature-${features++}`, name: 'A feature' }),
  })
  return { status: response.status, text: await response.text() }
}

/** Asserts that every refusal states the reason, and that every acknowledged trace is stored once and can be read. */
async function assertKept(url: string, load: OutageLoad, reason: RegExp): Promise<void> {
  for (const { status, text } of load.refusals) {
    assert.equal(status, 503, text)
    assert.match(text, reason)
  }
  await assertDrained(url)
  assert.deepEqual(await findUnreadable([url], apiKey, load.acknowledgedIds), [])
  await eventually(async () => {
    const listed = await countListed(url, apiKey)
    assert.deepEqual(
      [...listed].filter(([, times]) => times > 1),
      [],
    )
    assert.deepEqual([...listed.keys()].sort(), [...load.acknowledgedIds.keys()].sort())
  })
}

/** Cleans up in reverse order; the test runner's own hooks run in the order of registration. */
function makeCleanup(context: TestContext): AsyncDisposableStack {
  const cleanup = new AsyncDisposableStack()
  context.after(() => cleanup.disposeAsync())
  return cleanup
}

async function startNode(
  cleanup: AsyncDisposableStack,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const running = startServer(folder, apiKey, { LOG_LEVEL: 'silent', ...settings })
  cleanup.defer(async () => {
    await running.stop('SIGKILL')
  })
  return running.url
}

function startLoad(cleanup: AsyncDisposableStack, url: string, inputBytes: number): OutageLoad {
  const load = startOutageLoad([url], apiKey, { inputBytes })
  cleanup.defer(() => load.stop().catch(() => undefined))
  return load
}

test('a service whose disk is full reports it, and recovers when there is space', async (context) => {
  const cleanup = makeCleanup(context)
  const disk = mountSmallDisk(diskBytes)
  if (disk === undefined) {
    context.diagnostic('NOT RUN on a small file system: nothing may be mounted here; a quota takes its place')
    return refuseByQuota(context, cleanup)
  }
  cleanup.defer(() => disk.remove())
  const url = await startNode(cleanup, join(disk.folder, 'data'))
  const load = startLoad(cleanup, url, 2000)
  await waitForMore(load)
  assert.deepEqual(load.refusals, [])

  // Less than the reserve is left, but enough for the trace store: the spool drains though no new records are accepted.
  disk.fill(reserveBytes / 2)
  await assertRefusing(url, load)
  await assertDrained(url)
  disk.empty()
  await eventually(async () => assert.equal((await readReady(url)).status, 200))
  await waitForMore(load)

  // Now no store has any space left.
  await eventually(async () => {
    disk.fill()
    const { status, text } = await makeFeature(url)
    assert.deepEqual([status, text.includes('The disk of the control plane is full')], [503, true], text)
  })
  await assertRefusing(url, load)
  assert.deepEqual(await findUnreadable([url], apiKey, [...load.acknowledgedIds].slice(-100)), [])
  disk.empty()
  await eventually(async () => assert.equal((await readReady(url)).status, 200))
  assert.equal((await makeFeature(url)).status, 201)
  await waitForMore(load)
  await load.stop()
  await assertKept(url, load, /The spool disk is full/)
  context.diagnostic(
    `a disk of ${diskBytes / mebibyte} MiB: ${load.acknowledgedIds.size} acknowledged, ${load.refusals.length} refused while it was full twice; 0 lost, 0 doubled`,
  )
})

/** PostgreSQL is unavailable, so nothing leaves the spool, until its quota is reached. */
async function refuseByQuota(context: TestContext, cleanup: AsyncDisposableStack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = await startPostgres({ isDurable: true })
  cleanup.defer(() => database.stop())
  const url = await startNode(cleanup, folder, {
    DATABASE_URL: database.url,
    PLUMBLINE_SPOOL_BYTES_MAX: String(64 * mebibyte),
  })
  const load = startLoad(cleanup, url, 400_000)
  await eventually(async () => assert.ok(load.acknowledgedIds.size >= 20))
  assert.deepEqual(load.refusals, [])
  await database.kill()
  const reason = /The spool has reached its maximum size\./
  await eventually(async () => assert.ok(load.refusals.length >= phaseRefusals))
  await eventually(async () => {
    const { status, body } = await readReady(url)
    assert.equal(status, 503)
    assert.match(body.error ?? '', reason)
  })
  await database.restart()
  await eventually(async () => assert.equal((await readReady(url)).status, 200))
  const before = load.acknowledgedIds.size
  await eventually(async () => assert.ok(load.acknowledgedIds.size >= before + 20))
  await load.stop()
  await assertKept(url, load, reason)
  context.diagnostic(
    `a quota of 64 MiB: ${load.acknowledgedIds.size} acknowledged, ${load.refusals.length} refused; 0 lost, 0 doubled`,
  )
}
