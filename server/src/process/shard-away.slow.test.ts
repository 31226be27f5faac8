/** One of two shards of the trace store is killed and comes back while two workspaces record, one on each. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { shardOf } from '@plumbline/storage/traces/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  countListed,
  findUnreadable,
  type OutageLoad,
  startOutageLoad,
} from '../../testing/record-through-outage.ts'
import { startTestApp } from '../../testing/test-app.ts'

/** Traces of each workspace before, during and after. */
const phaseTraces = 60

test('a shard that is killed and comes back loses and doubles nothing', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const folders = [join(folder, 'first'), join(folder, 'second')] as const
  const engines = [await startHttpEngine(folders[0]), await startHttpEngine(folders[1])]
  const testApp = await startTestApp({
    settings: { CLICKHOUSE_URL: engines.map(({ url }) => url).join(',') },
  })
  const url = await testApp.listen()
  const loads: OutageLoad[] = []
  context.after(async () => {
    for (const load of loads) await load.stop().catch(() => undefined)
    await testApp.close()
    for (const engine of engines) await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The key of a workspace on each shard. */
  const keys: string[] = []
  while (keys.length < 2) {
    const { id, key } = await testApp.newWorkspace()
    if (shardOf(id, 2) === keys.length) keys.push(key.secret)
  }
  for (const key of keys) loads.push(startOutageLoad([url], key))
  const waitForMore = async (): Promise<void> => {
    const goals = loads.map(({ acknowledgedIds }) => acknowledgedIds.size + phaseTraces)
    await eventually(async () => {
      loads.forEach(({ acknowledgedIds, refusals }, index) => {
        assert.deepEqual(refusals, [])
        assert.ok(acknowledgedIds.size >= goals[index]!, `${acknowledgedIds.size} of ${goals[index]}`)
      })
    })
  }
  await waitForMore()

  await engines[1]!.kill()
  const storedIds = [...loads[0]!.acknowledgedIds]
  await waitForMore()
  assert.deepEqual(await findUnreadable([url], keys[0]!, storedIds), [])
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { degraded?: string[] }
  assert.deepEqual(ready.degraded, ['shard 2 of the trace store'])
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /^plumbline_trace_store_shard_up\{shard="1"\} 1$/m)
  assert.match(metrics, /^plumbline_trace_store_shard_up\{shard="2"\} 0$/m)

  engines[1] = await startHttpEngine(folders[1], Number(new URL(engines[1]!.url).port))
  await waitForMore()
  for (const load of loads) await load.stop()
  for (const [index, { acknowledgedIds, refusals }] of loads.entries()) {
    assert.deepEqual(refusals, [])
    await eventually(async () => {
      const listed = await countListed(url, keys[index]!)
      assert.deepEqual(
        [...acknowledgedIds.keys()].filter((name) => listed.get(name) !== 1),
        [],
      )
    })
    assert.deepEqual(await findUnreadable([url], keys[index]!, acknowledgedIds), [])
    context.diagnostic(`shard ${index + 1}: ${acknowledgedIds.size} acknowledged, 0 lost, 0 doubled`)
  }
})
