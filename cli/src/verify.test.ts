import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { createClient } from '@plumbline/sdk'
import { freePort } from '../../fixtures/free-port.ts'
import { spawnService, testKey } from '../../sdk/src/testing.ts'
import { emptyFolder, makeShell } from './testing.ts'

const data = join(emptyFolder(), 'data')
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const shell = makeShell(url, testKey)

it('checks a running service, and a folder that no service is using, in which it reports damage', async () => {
  const service = await spawnService(data, port)
  const plumbline = createClient({ baseUrl: url, apiKey: testKey })
  await plumbline.monitor.trace({ name: 'kept' })
  const inUse = await shell('verify', '--data-dir', data)
  assert.equal(inUse.status, 1)
  assert.match(inUse.stderr, /is in use by another process/)
  const running = await shell('verify')
  assert.equal(running.status, 0, running.stderr)
  assert.match(running.stdout, /^Read: the control plane \(SQLite\), \d+ parts .*\nNothing is damaged\.\n$/)
  service.kill('SIGTERM')
  await once(service, 'exit')

  const [part = ''] = globSync(join(data, 'traces/store/*/*/*/data.bin')).filter((path) =>
    readFileSync(join(path, '../columns.txt'), 'utf8').includes('`otel_trace_id`'),
  )
  const bytes = readFileSync(part)
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 100)
  writeFileSync(part, bytes)
  const damaged = await shell('verify', '--data-dir', data)
  assert.equal(damaged.status, 1)
  assert.match(damaged.stdout, /^DAMAGED {2}trace store: \S+ of traces \(1 lost\)\n/)
  // A folder without a control plane does not get a new one.
  for (const name of globSync(join(data, 'control.db*'))) rmSync(name)
  const lossReport = await shell('verify', '--data-dir', data)
  assert.equal(lossReport.status, 1)
  assert.match(lossReport.stderr, /control\.db, the control plane that they belong to, is missing/)
  assert.deepEqual(globSync(join(data, 'control.db*')), [])
})
