import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import {
  makeFeature,
  makePrompt,
  makeVersion,
  startTestApp,
  type TestWorkspace,
} from '../../testing/test-app.ts'

const { monitor, traces, features } = operations
let now = new Date()
const { app, newWorkspace } = await startTestApp({ now: () => now })

const once = { headers: { 'idempotency-key': 'retry-1' } }

async function countTraces(workspace: TestWorkspace): Promise<number> {
  await app.flush()
  return (await workspace.ok(traces.list)).traces.length
}

describe('Idempotency-Key', () => {
  it('returns the first response to a retry, including warnings, and stores nothing twice', async () => {
    const workspace = await newWorkspace()
    const input = { evaluators: [{ slug: 'nobody' }] }
    const first = await workspace.ok(monitor.trace, input, once)
    assert.ok(first.warning !== undefined)
    assert.deepEqual(await workspace.ok(monitor.trace, input, once), first)
    await app.flush()
    assert.deepEqual(await workspace.ok(monitor.trace, input, once), first)
    assert.equal(await countTraces(workspace), 1)
    const log = { slug: 'nobody', output: 'x' }
    const firstLog = await workspace.ok(monitor.log, log, once)
    assert.deepEqual(await workspace.ok(monitor.log, log, once), firstLog)
    assert.equal(await countTraces(workspace), 2)
  })

  it('makes parallel retries wait for the first', async () => {
    const workspace = await newWorkspace()
    const attempts = Array.from({ length: 10 }, () => workspace.ok(monitor.trace, { name: 'x' }, once))
    const ids = (await Promise.all(attempts)).map(({ trace }) => trace.id)
    assert.equal(new Set(ids).size, 1)
    assert.equal(await countTraces(workspace), 1)
  })

  it('answers a retried creation as the first time, not with 409', async () => {
    const workspace = await newWorkspace()
    const input = { slug: 'chat', name: 'Chat' }
    const first = await workspace.ok(features.create, input, once)
    assert.deepEqual(await workspace.ok(features.create, input, once), first)
    await workspace.refused(features.create, input, 409)
  })

  it('409: was used with another body', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(monitor.trace, { name: 'one' }, once)
    const error = await workspace.refused(monitor.trace, { name: 'two' }, 409, once)
    assert.match(error, /^The Idempotency-Key "retry-1" was used with another body/)
    await workspace.ok(monitor.log, { slug: 'x', output: 1 }, once)
    await workspace.refused(monitor.log, { slug: 'x', output: 2 }, 409, once)
    assert.equal(await countTraces(workspace), 2)
  })

  it('remembers successes only', async () => {
    const workspace = await newWorkspace()
    const input = { featureSlug: 'chat' }
    await workspace.refused(monitor.trace, input, 404, once)
    await workspace.refused(monitor.trace, { name: 5 }, 400, once)
    await makeFeature(workspace)
    const first = await workspace.ok(monitor.trace, input, once)
    assert.equal((await workspace.ok(monitor.trace, input, once)).trace.id, first.trace.id)
  })

  it('is separate for each API key and route', async () => {
    const workspace = await newWorkspace()
    const { secret: key } = await workspace.newKey(['ingest'])
    const input = { slug: 'x', output: 'y' }
    const ids = [
      (await workspace.ok(monitor.trace, input, once)).trace.id,
      (await workspace.ok(monitor.trace, input, { ...once, key })).trace.id,
      (await workspace.ok(monitor.log, input, once)).trace.id,
    ]
    assert.equal(new Set(ids).size, 3)
  })

  it('is separate for each URL: the same key and body for another prompt is another write', async () => {
    const workspace = await newWorkspace()
    const { prompts } = operations
    const publish = { newTag: 'production', version: '1.0.0' }
    for (const slug of ['a', 'b']) {
      await makePrompt(workspace, { slug })
      await makeVersion(workspace, { slug, version: '1.0.0' })
      await workspace.ok(prompts.publish, { slug, ...publish }, once)
    }
    for (const slug of ['a', 'b']) {
      await workspace.ok(prompts.publish, { slug, ...publish }, once)
      assert.equal((await workspace.ok(prompts.get, { slug })).prompt.tag, 'production')
      const { moves } = await workspace.ok(prompts.history, { slug })
      assert.equal(moves.filter(({ tag }) => tag === 'production').length, 1)
      await workspace.refused(prompts.publish, { slug, newTag: 'staging', version: '1.0.0' }, 409, once)
    }
  })

  it('is the same for different spellings of a URL', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace, { slug: 'ab' })
    const send = (url: string) =>
      workspace.call({ ...operations.versions.create, path: url } as never, { text: 'Hi' }, once)
    const [first, again] = [await send('/prompts/ab/versions'), await send('/prompts/a%62/versions')]
    assert.equal(first.status, 201)
    assert.equal(again.text, first.text)
  })

  it('compares the bytes after decompression', async () => {
    const workspace = await newWorkspace()
    const plain = '{"name": "same"}'
    const first = await workspace.ok(monitor.trace, {}, { ...once, payload: plain })
    const headers = { ...once.headers, 'content-encoding': 'gzip' }
    const again = await workspace.ok(monitor.trace, {}, { headers, payload: gzipSync(plain) })
    assert.deepEqual(again, first)
    await workspace.refused(monitor.trace, {}, 409, { headers, payload: gzipSync('{"name":"same"}') })
  })

  it('works for operations that return no body', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const { workspace: own } = await workspace.ok(operations.workspaces.get)
    const headers = { ...owner.headers, ...once.headers }
    const answer = await workspace.call(
      operations.workspaces.delete,
      { name: own.name },
      { ...owner, headers },
    )
    assert.deepEqual([answer.status, answer.text], [204, ''])
  })

  it('is forgotten after 24 hours', async () => {
    const workspace = await newWorkspace()
    const startedAt = now
    const first = await workspace.ok(monitor.trace, {}, once)
    now = new Date(startedAt.getTime() + 24 * 3_600_000 - 1000)
    assert.equal((await workspace.ok(monitor.trace, {}, once)).trace.id, first.trace.id)
    now = new Date(startedAt.getTime() + 24 * 3_600_000 + 1000)
    const later = await workspace.ok(monitor.trace, { name: 'other' }, once)
    assert.notEqual(later.trace.id, first.trace.id)
    now = startedAt
  })

  it('400: is empty or longer than 255 characters', async () => {
    const workspace = await newWorkspace()
    for (const key of ['', 'x'.repeat(256)]) {
      const error = await workspace.refused(monitor.trace, {}, 400, { headers: { 'idempotency-key': key } })
      assert.equal(error, 'Idempotency-Key: must be 1 to 255 characters')
    }
    await workspace.ok(monitor.trace, {}, { headers: { 'idempotency-key': 'x'.repeat(255) } })
  })
})
