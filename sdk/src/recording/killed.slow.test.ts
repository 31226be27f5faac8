import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { createClient } from '../index.ts'
import { freePort, spawnService, testKey } from '../testing.ts'

const kills = 2
const recordsPerLife = 150

it('an application that records on while the service is killed and started again loses nothing and doubles nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const plumbline = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: testKey,
    batchDelayMs: 5,
    pauseMsMin: 20,
    pauseMsMax: 200,
    onError: () => {},
  })
  let sentCount = 0
  const record = async (count: number): Promise<void> => {
    for (let each = 0; each < count; each++) {
      const trace = plumbline.trace({ name: `killed ${sentCount++}`, user: { id: 'killed', name: 'Killed' } })
      trace.generation({ input: 'Hi', model: 'gpt-4o' }).end({ output: 'Hello.' })
      trace.end()
      if (each % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  let service = await spawnService(folder, port)
  for (let kill = 0; kill < kills; kill++) {
    await record(recordsPerLife)
    // In the middle of it: some are answered, some are on their way, some wait.
    const before = plumbline.stats.delivered
    while (plumbline.stats.delivered < before + 20) await new Promise((resolve) => setTimeout(resolve, 1))
    service.kill('SIGKILL')
    await once(service, 'exit')
    await record(recordsPerLife)
    assert.ok(plumbline.stats.pending >= recordsPerLife)
    service = await spawnService(folder, port)
  }
  const stats = await plumbline.flush({ timeoutMs: 60_000 })
  assert.deepEqual([stats.delivered, stats.pending, plumbline.dropped], [sentCount, 0, 0])
  assert.ok(stats.retried > 0)

  const names = await eventually(async () => {
    const counted = new Map<string, number>()
    for (let cursor: string | undefined; ; ) {
      const page = await plumbline.traces.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
      for (const { name } of page.traces) counted.set(name, (counted.get(name) ?? 0) + 1)
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    assert.equal(counted.size, sentCount)
    return counted
  })
  assert.ok([...names.values()].every((times) => times === 1))
  await plumbline.close()
})
