/** The trace store is unavailable for so long that the spool is full. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeTraceFolder } from '@plumbline/storage/traces/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { errorOf, startTestApp } from '../../testing/test-app.ts'

// One control plane is enough: the spool is the same with either.
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const engine = await startHttpEngine(await makeTraceFolder(folder))
const { send, newWorkspace, close } = await startTestApp({
  settings: { CLICKHOUSE_URL: engine.url, PLUMBLINE_SPOOL_BYTES_MAX: String(64 * 1024 ** 2) },
})
const workspace = await newWorkspace()
await engine.stop()
after(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

describe('while the trace store is unavailable', () => {
  it('503: recording accepts traces up to the spool quota, and then says when to retry', async () => {
    const input = 'x'.repeat(15 * 1024 ** 2)
    const accepted: string[] = []
    let last = await workspace.call(operations.monitor.trace, { input })
    while (last.status === 200 && accepted.length < 10) {
      accepted.push((JSON.parse(last.text) as { trace: { id: string } }).trace.id)
      last = await workspace.call(operations.monitor.trace, { input })
    }
    assert.deepEqual([last.status, last.headers['retry-after']], [503, '5'])
    assert.match(errorOf(last), /cannot accept records now/)
    assert.ok(accepted.length >= 3)
    for (const id of accepted) assert.equal((await workspace.ok(operations.traces.get, { id })).trace.id, id)
  })

  it('/readyz says that the spool quota is used up, and /healthz is still 200', async () => {
    // The remaining space holds no large record but some small ones, until it is used up too.
    for (const bytes of [1024 ** 2, 32 * 1024]) {
      const small = { input: 'x'.repeat(bytes) }
      while ((await workspace.call(operations.monitor.trace, small)).status === 200);
    }
    const ready = await send({ method: 'GET', url: '/readyz' })
    assert.equal(ready.status, 503)
    assert.deepEqual(JSON.parse(ready.text), {
      error: 'The spool has reached its maximum size.',
      degraded: ['the trace store'],
    })
    assert.equal((await send({ method: 'GET', url: '/healthz' })).status, 200)
  })

  it('/metrics shows that the spool accepts nothing', async () => {
    assert.match((await send({ method: 'GET', url: '/metrics' })).text, /plumbline_part_up\{part="spool"\} 0/)
  })
})
