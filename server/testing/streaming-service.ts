/** A listening service with data for everything that is streamed in or out. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { operations } from '@plumbline/contract'
import { startModelServer } from '../../fixtures/model-server/server.ts'
import { makeDataset, recordTrace, startTestApp, type TestWorkspace } from './test-app.ts'

const operatorKey = 'pl_operator_key_of_streaming_tests'

export interface StreamedRoute {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export async function startStreamingService() {
  const models = await startModelServer({ script: [{ when: 'Ping', text: 'Pong '.repeat(2000) }] })
  after(() => models.close())
  const testApp = await startTestApp({
    settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true', PLUMBLINE_API_KEY: operatorKey },
  })
  const workspace = await testApp.newWorkspace()
  await fill(workspace)
  const { connection } = await workspace.ok(operations.connections.create, {
    name: 'Local',
    provider: 'open-ai',
    apiKey: 'sk-test',
    baseUrl: models.url,
  })
  const authorization = `Bearer ${workspace.key.secret}`
  const json = { authorization, 'content-type': 'application/json' }
  const { pathname, search } = new URL((await signUpload(workspace)).uploadUrl)
  const fileKey = await uploadFile(testApp, workspace)
  const none = Buffer.alloc(0)
  const bundle = Buffer.from((await workspace.call(operations.exchange.export)).text)
  const run = { connectionId: connection.id, model: 'gpt-4o', messages: [{ role: 'user', content: 'Ping' }] }

  /** Routes whose body is read as a stream, or decompressed. */
  const senders: StreamedRoute[] = [
    {
      method: 'POST',
      url: '/import',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      body: bundle,
    },
    {
      method: 'POST',
      url: '/import',
      headers: { authorization, 'content-type': 'application/gzip' },
      body: bundle,
    },
    { method: 'POST', url: '/monitor/trace', headers: json, body: Buffer.from('{"name":"a trace"}') },
    { method: 'POST', url: '/v1/traces', headers: json, body: Buffer.from('{"resourceSpans":[]}') },
    {
      method: 'POST',
      url: '/mcp',
      headers: json,
      body: Buffer.from('{"jsonrpc":"2.0","method":"ping","id":1}'),
    },
    {
      method: 'PUT',
      url: pathname + search,
      headers: { 'content-type': 'image/png' },
      body: Buffer.alloc(20_000, 1),
    },
  ]
  /** Routes with a streamed response. */
  const readers: StreamedRoute[] = [
    ...[
      '/export',
      '/datasets/cases',
      '/datasets/cases/export?format=csv',
      '/monitor/traces/export?format=jsonl',
    ].map((url) => ({ method: 'GET', url, headers: { authorization }, body: none })),
    { method: 'GET', url: `/files/${fileKey}`, headers: { authorization }, body: none },
    { method: 'POST', url: '/playground/run', headers: json, body: Buffer.from(JSON.stringify(run)) },
    { method: 'POST', url: '/backup', headers: { authorization: `Bearer ${operatorKey}` }, body: none },
  ]
  const address = await testApp.app.server.listen({ host: '127.0.0.1', port: 0 })

  const little = await testApp.newWorkspace()
  await makeDataset(little)
  /** Checks that the process still accepts, serves and streams. */
  const checkItAnswers = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${little.key.secret}` }
    for (const url of ['/healthz', '/export', '/datasets/cases']) {
      const response = await fetch(`${address}${url}`, { headers })
      assert.equal(response.status, 200, url)
      await response.text()
    }
    const { trace } = await recordTrace(workspace, { name: 'good', output: { still: 'here' } })
    assert.deepEqual(trace.output, { still: 'here' })
  }
  return {
    ...testApp,
    workspace,
    address,
    senders,
    readers,
    port: Number(new URL(address).port),
    checkItAnswers,
  }
}

const signUpload = (workspace: TestWorkspace) =>
  workspace.ok(operations.files.sign, { fileName: 'a.png', contentType: 'image/png' })

async function uploadFile(
  { send }: Awaited<ReturnType<typeof startTestApp>>,
  workspace: TestWorkspace,
): Promise<string> {
  const { uploadUrl, fileKey } = await signUpload(workspace)
  const { pathname, search } = new URL(uploadUrl)
  const answer = await send({ method: 'PUT', url: pathname + search, payload: Buffer.alloc(1_000_000, 7) })
  assert.equal(answer.status, 200)
  return fileKey
}

/** Enough data that no response fits into the buffers of a socket. */
async function fill(workspace: TestWorkspace): Promise<void> {
  await makeDataset(workspace)
  const question = 'As long as such questions are. '.repeat(200)
  for (let part = 0; part < 3; part++)
    await workspace.ok(operations.datasets.append, {
      slug: 'cases',
      rows: Array.from({ length: 300 }, (_none, index) => ({
        values: { question: `${part} ${index} ${question}` },
      })),
    })
  for (let index = 0; index < 20; index++) await recordTrace(workspace, { input: question.repeat(6) })
}
