/** SIGTERM during a run: the call in progress is ended, and its case waits as if it had not been started. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@plumbline/sdk'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startServer } from '../../../testing/server-process.ts'

const apiKey = 'pl_stop_test_key_0011223344'
const settings = { PLUMBLINE_ENDPOINT_HOSTS: '127.0.0.1' }

test('a call in progress ends with the service, and is made again after the next start', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const endpoint = createServer()
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  let running = startServer(folder, apiKey, settings)
  context.after(async () => {
    await running.stop('SIGKILL')
    endpoint.closeAllConnections()
    endpoint.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { experimentRuns, datasets, features } = createClient({ baseUrl: await running.url, apiKey })
  await features.create({ slug: 'chat', name: 'Chat' })
  await datasets.create({ slug: 'cases', name: 'Cases', columns: [{ name: 'question', type: 'text' }] })
  await datasets.append({ slug: 'cases', rows: [{ values: { question: 'Where?' } }] })

  const firstCall = once(endpoint, 'request')
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  const { run } = await experimentRuns.create({
    datasetSlug: 'cases',
    featureSlug: 'chat',
    target: { type: 'endpoint', url, timeoutMs: 600_000 },
  })
  const [, unanswered] = (await firstCall) as [unknown, ServerResponse]
  const cutOff = once(unanswered, 'close')
  assert.equal(await running.stop('SIGTERM'), 0)
  await cutOff

  const secondCall = once(endpoint, 'request')
  running = startServer(folder, apiKey, settings)
  const again = createClient({ baseUrl: await running.url, apiKey }).experimentRuns
  const [, response] = (await secondCall) as [unknown, ServerResponse]
  const { cases } = await again.cases({ id: run.id })
  assert.deepEqual(
    cases.map(({ status, problem }) => [status, problem]),
    [['running', null]],
  )
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":"Here"}')
  await eventually(async () => assert.equal((await again.get({ id: run.id })).run.status, 'done'))
})
