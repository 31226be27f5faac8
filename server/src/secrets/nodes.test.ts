/** Two nodes on one PostgreSQL without PLUMBLINE_SECRET_KEY: each has its own secret, and reports the conflict. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { makeTraceFolder } from '@plumbline/storage/traces/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { type Running, startServer } from '../../testing/server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const apiKey = 'pl_test_key_0123456789'
const database = await emptyDatabase()
const engine = await startHttpEngine(await makeTraceFolder(join(folder, 'engine')))
const running: Running[] = []
after(async () => {
  await Promise.all(running.map((node) => node.stop('SIGKILL')))
  await engine.stop()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

function start(name: string, settings: Record<string, string> = {}): Running {
  const node = startServer(join(folder, name), apiKey, {
    DATABASE_URL: 'url' in database.location ? database.location.url : '',
    CLICKHOUSE_URL: engine.url,
    LOG_LEVEL: 'silent',
    ...settings,
  })
  running.push(node)
  return node
}

const call = async (url: string, method: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

const connection = { name: 'Ours', provider: 'open-ai', apiKey: 'sk-0123456789', models: ['m'] }

test('section 4: a node with a different secret records and reads, and names the missing setting', async () => {
  const first = start('one')
  const urlOfOne = await first.url
  assert.doesNotMatch(first.banner(), /the same PLUMBLINE_SECRET_KEY on all nodes/)
  const { status } = await call(urlOfOne, 'POST', '/connections', connection)
  assert.equal(status, 201)

  const two = start('two')
  const url = await two.url
  assert.match(two.banner(), /Set the same PLUMBLINE_SECRET_KEY on all nodes/)
  const recording = await call(url, 'POST', '/monitor/trace', { name: 'on the second' })
  assert.equal(recording.status, 200, recording.text)
  const { trace } = JSON.parse(recording.text) as { trace: { id: string } }
  assert.equal((await call(url, 'GET', `/monitor/traces/${trace.id}`)).status, 200)
  assert.equal((await call(url, 'GET', '/prompts')).status, 200)
  const key = await call(url, 'POST', '/api-keys', { name: 'CI', scopes: ['read'] })
  assert.equal(key.status, 201, key.text)
  const refusal = await call(url, 'POST', '/connections', { ...connection, name: 'Theirs' })
  assert.equal(refusal.status, 503)
  assert.match(refusal.text, /PLUMBLINE_SECRET_KEY/)

  // With one setting for both, they behave the same.
  for (const node of [first, two]) assert.equal(await node.stop('SIGTERM'), 0)
  const setting = { PLUMBLINE_SECRET_KEY: 'a setting of thirty-two characters or more' }
  const [restarted, second] = [start('one', setting), start('two', setting)]
  await restarted.url
  const created = await call(await second.url, 'POST', '/connections', { ...connection, name: 'Theirs' })
  assert.equal(created.status, 201, created.text)
  assert.match(restarted.banner(), /the file is no longer needed/)
})
