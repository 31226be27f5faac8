/** A shard of the trace store is killed and restarted while two workspaces record, one on each shard. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { operations, scopes } from '@plumbline/contract'
import { openControlStore } from '@plumbline/storage/control'
import { shardOf } from '@plumbline/storage/traces/testing'
import { type HttpEngine, startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  countListed,
  findUnreadable,
  type OutageLoad,
  startOutageLoad,
} from '../../testing/record-through-outage.ts'
import { type Running, startServer } from '../../testing/server-process.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../testing/test-app.ts'
import { hashSecret, makeSecret, shownPrefix } from '../accounts/keys/secret.ts'

/** Traces of each workspace before, during and after the outage. */
const phaseTraces = 60

interface TwoShards {
  readonly folder: string
  readonly urls: string
  killSecond(): Promise<void>
  restartSecond(): Promise<void>
}

async function startTwoShards(context: TestContext): Promise<TwoShards> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const folders = [join(folder, 'first'), join(folder, 'second')] as const
  const engines: HttpEngine[] = [await startHttpEngine(folders[0]), await startHttpEngine(folders[1])]
  context.after(async () => {
    for (const engine of engines) await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    urls: engines.map(({ url }) => url).join(','),
    killSecond: () => engines[1]!.kill(),
    async restartSecond() {
      engines[1] = await startHttpEngine(folders[1], Number(new URL(engines[1]!.url).port))
    },
  }
}

/** Waits until each load has `phaseTraces` more acknowledged traces, and no refusals. */
async function waitForMore(loads: readonly OutageLoad[]): Promise<void> {
  const goals = loads.map(({ acknowledgedIds }) => acknowledgedIds.size + phaseTraces)
  await eventually(async () => {
    loads.forEach(({ acknowledgedIds, refusals }, index) => {
      assert.deepEqual(refusals, [])
      assert.ok(acknowledgedIds.size >= goals[index]!, `${acknowledgedIds.size} of ${goals[index]}`)
    })
  })
}

/** Waits until the list has each of these traces exactly once. */
async function waitUntilListed(url: string, key: string, names: readonly string[]): Promise<void> {
  await eventually(async () => {
    const listed = await countListed(url, key)
    assert.deepEqual(
      names.filter((name) => listed.get(name) !== 1),
      [],
    )
  })
}

/** How many traces the ledger has, and how many the hourly sums count. */
async function countRecorded(url: string, key: string): Promise<{ ledger: number; sums: number }> {
  const headers = { authorization: `Bearer ${key}` }
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(url + path, { headers })).json()) as Record<string, unknown>
  const { entries } = (await read('/monitor/ledger')) as { entries: { stored: number }[] }
  const { rows } = (await read('/metrics/query?measures=traces')) as { rows: { traces: number }[] }
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
  return { ledger: sumOf(entries.map(({ stored }) => stored)), sums: sumOf(rows.map(({ traces }) => traces)) }
}

async function assertAllStoredOnce(
  context: TestContext,
  loads: readonly OutageLoad[],
  { url, keys }: { url: string; keys: readonly string[] },
): Promise<void> {
  for (const [index, { acknowledgedIds, refusals }] of loads.entries()) {
    assert.deepEqual(refusals, [])
    await waitUntilListed(url, keys[index]!, [...acknowledgedIds.keys()])
    assert.deepEqual(await findUnreadable([url], keys[index]!, acknowledgedIds), [])
    await eventually(async () => {
      const { size } = acknowledgedIds
      assert.deepEqual(await countRecorded(url, keys[index]!), { ledger: size, sums: size })
    })
    context.diagnostic(`shard ${index + 1}: ${acknowledgedIds.size} acknowledged, 0 lost, 0 doubled`)
  }
}

/** Asserts that a deleted trace is not read from a segment that waits for another shard. */
async function assertDeletable(workspace: TestWorkspace): Promise<void> {
  const { get, list, delete: remove } = operations.traces
  const { id } = await recordTrace(workspace)
  await eventually(async () => assert.equal((await workspace.ok(list)).traces.length, 1))
  await workspace.ok(remove, { id })
  await eventually(async () => void (await workspace.refused(get, { id }, 404)))
  assert.deepEqual((await workspace.ok(list)).traces, [])
}

test('a killed and restarted shard loses and duplicates nothing, and does not block the other shard', async (context) => {
  const shards = await startTwoShards(context)
  const testApp = await startTestApp({ settings: { CLICKHOUSE_URL: shards.urls } })
  const url = await testApp.listen()
  const loads: OutageLoad[] = []
  context.after(async () => {
    for (const load of loads) await load.stop().catch(() => undefined)
    await testApp.close()
  })

  /** One workspace key for each shard. */
  const keys: string[] = []
  while (keys.length < 2) {
    const { id, key } = await testApp.newWorkspace()
    if (shardOf(id, 2) === keys.length) keys.push(key.secret)
  }
  let deleting = await testApp.newWorkspace()
  while (shardOf(deleting.id, 2) !== 0) deleting = await testApp.newWorkspace()
  for (const key of keys) loads.push(startOutageLoad([url], key))
  await waitForMore(loads)

  await shards.killSecond()
  await waitForMore(loads)
  const recordedIds = [...loads[0]!.acknowledgedIds]
  await waitForMore(loads)
  // Includes what was recorded during the outage, OpenTelemetry traces as well.
  await waitUntilListed(
    url,
    keys[0]!,
    recordedIds.map(([name]) => name),
  )
  assert.deepEqual(await findUnreadable([url], keys[0]!, recordedIds), [])
  // Operations that wait for the drain wait only for their own workspace.
  const preview = await fetch(`${url}/deletions/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { name: recordedIds[0]![0] } }),
  })
  assert.equal(preview.status, 200)
  assert.equal(((await preview.json()) as { traces: number }).traces, 1)
  await assertDeletable(deleting)
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { degraded?: string[] }
  assert.deepEqual(ready.degraded, ['shard 2 of the trace store'])
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /^plumbline_trace_store_shard_up\{shard="1"\} 1$/m)
  assert.match(metrics, /^plumbline_trace_store_shard_up\{shard="2"\} 0$/m)

  await shards.restartSecond()
  await waitForMore(loads)
  for (const load of loads) await load.stop()
  await assertAllStoredOnce(context, loads, { url, keys })
})

test('a service killed and restarted while a shard is unavailable loses and duplicates nothing', async (context) => {
  const shards = await startTwoShards(context)
  const dataFolder = join(shards.folder, 'data')
  mkdirSync(dataFolder)
  const control = await openControlStore({ file: join(dataFolder, 'control.db') })
  const keys: string[] = []
  while (keys.length < 2) {
    const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
    if (shardOf(workspaceId, 2) !== keys.length) continue
    const secret = makeSecret()
    const key = { name: 'Test', hash: hashSecret(secret), prefix: shownPrefix(secret), scopes }
    await control.scopedTo({ workspaceId }).apiKeys.create(key, new Date())
    keys.push(secret)
  }
  await control.close()
  let running: Running | undefined
  const start = async (): Promise<string> => {
    running = startServer(dataFolder, 'pl_shard_away_key_0123456789', { CLICKHOUSE_URL: shards.urls })
    return running.url
  }
  context.after(() => running?.stop('SIGKILL'))
  const acknowledged = [new Map<string, string>(), new Map<string, string>()] as const
  let recorded = 0
  /** Records for a while and stops, so that the kill comes after the last response. */
  const record = async (url: string): Promise<void> => {
    const loads = keys.map((key) => startOutageLoad([url], key, { firstNumber: recorded }))
    await waitForMore(loads)
    for (const load of loads) await load.stop()
    for (const [index, { acknowledgedIds }] of loads.entries())
      for (const [name, id] of acknowledgedIds) acknowledged[index]!.set(name, id)
    recorded += 100_000
  }
  await record(await start())
  await shards.killSecond()
  await record(await running!.url)
  await running!.stop('SIGKILL')

  // Again while the shard is unavailable, with partly stored segments.
  const url = await start()
  await waitUntilListed(url, keys[0]!, [...acknowledged[0].keys()])
  await record(url)
  await waitUntilListed(url, keys[0]!, [...acknowledged[0].keys()])
  assert.deepEqual(await findUnreadable([url], keys[0]!, acknowledged[0]), [])
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { degraded?: string[] }
  assert.deepEqual(ready.degraded, ['shard 2 of the trace store'])

  await shards.restartSecond()
  const loads = acknowledged.map((acknowledgedIds) => ({
    acknowledgedIds,
    refusals: [],
    stop: async () => {},
  }))
  await assertAllStoredOnce(context, loads, { url, keys })
  assert.equal(await running!.stop('SIGTERM'), 0)
})
