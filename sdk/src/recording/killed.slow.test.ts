import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { eventually } from '../../../fixtures/eventually.ts'
import { freePort } from '../../../fixtures/free-port.ts'
import { createClient } from '../index.ts'
import { spawnService, startService, testKey } from '../testing.ts'

const kills = 2
const recordsPerLife = 150

it('an application that keeps recording while the service is killed and restarted loses nothing and duplicates nothing', async () => {
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
    // In the middle: some are acknowledged, some are in flight, some are waiting.
    const before = plumbline.stats.delivered
    while (plumbline.stats.delivered < before + 20) await new Promise((resolve) => setTimeout(resolve, 1))
    service.kill('SIGKILL')
    await once(service, 'exit')
    await record(recordsPerLife)
    assert.ok(plumbline.stats.pending >= 2 * recordsPerLife)
    service = await spawnService(folder, port)
  }
  const stats = await plumbline.flush({ timeoutMs: 60_000 })
  // One span for the trace, and one for its generation.
  assert.deepEqual([stats.delivered, stats.pending, plumbline.dropped], [2 * sentCount, 0, 0])
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

it('with default settings, an outage of a minute loses nothing that fits into the buffer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const errors: unknown[] = []
  const plumbline = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: testKey,
    onError: (error) => void errors.push(error),
  })
  let recordedCount = 0
  const record = (): void => {
    const trace = plumbline.trace({ name: `away ${recordedCount++}` })
    trace.generation({ input: 'Hi', model: 'gpt-4o' }).end({ output: 'Hello.' })
    trace.end()
  }
  const service = await spawnService(folder, port)
  record()
  assert.deepEqual((await plumbline.flush()).pending, 0)
  service.kill('SIGTERM')
  await once(service, 'exit')

  // An application that keeps working, at a few traces per second.
  const stoppedAt = performance.now()
  for await (const _tick of setInterval(100)) {
    record()
    if (performance.now() - stoppedAt > 60_000) break
  }
  assert.equal(plumbline.stats.pending, 2 * (recordedCount - 1))
  await spawnService(folder, port)
  const { delivered, pending } = await plumbline.flush({ timeoutMs: 60_000 })
  assert.deepEqual([delivered, pending, plumbline.dropped], [2 * recordedCount, 0, 0])
  // The outage is reported once.
  assert.equal(errors.length, 1)
  await eventually(async () => {
    const names = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const page = await plumbline.traces.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
      for (const { name } of page.traces) names.add(name)
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    assert.equal(names.size, recordedCount)
  })
  await plumbline.close()
})

it('an application that is killed in the middle has delivered every step that had ended', async () => {
  const { url, workspace } = await startService()
  const program = `import { createClient } from '${new URL('../index.ts', import.meta.url).href}'
    const plumbline = createClient({ baseUrl: '${url}', apiKey: '${workspace.key.secret}', runningDelayMs: 50 })
    const trace = plumbline.trace({ name: 'killed in the middle', input: 'Hi' })
    for (let step = 0; step < 20; step++) trace.tool({ name: 'step ' + step }).end({ output: step })
    trace.generation({ name: 'never ends' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await plumbline.flush()
    console.log(trace.traceId)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'exit')
  const id = line.toString().trim()
  const reader = createClient({ baseUrl: url, apiKey: workspace.key.secret })
  const { trace } = await reader.traces.get({ id })
  assert.deepEqual([trace.name, trace.input, trace.endTime], ['killed in the middle', 'Hi', null])
  const names = trace.logs.map(({ name }) => name)
  for (let step = 0; step < 20; step++) assert.ok(names.includes(`step ${step}`), `step ${step}`)
  assert.ok(!names.includes('never ends'))
})
