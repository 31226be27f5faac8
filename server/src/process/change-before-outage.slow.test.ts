/**
 * A workspace changes just before PostgreSQL becomes unavailable: recording and reading continue, and revoked access stays
 * revoked.
 */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { startPostgres } from '../../../scripts/test/postgres-for-tests.ts'
import { startTestApp, type TestWorkspace } from '../../testing/test-app.ts'

const database = await startPostgres({ isDurable: true })
let laterMs = 0
const testApp = await startTestApp({
  settings: { DATABASE_URL: database.url },
  now: () => new Date(Date.now() + laterMs),
})
const { newWorkspace, send } = testApp
after(async () => {
  await testApp.close()
  await database.stop()
})

const version = {
  version: '1',
  text: 'Hello',
  model: { provider: 'openai', model: 'gpt-4o' },
  tags: ['production'],
}

async function makeWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await workspace.ok(operations.features.create, { slug: 'chat', name: 'Chat' })
  await workspace.ok(operations.prompts.create, { slug: 'greeting', name: 'Greeting', featureSlug: 'chat' })
  await workspace.ok(operations.versions.create, { slug: 'greeting', ...version })
  return workspace
}

const record = (workspace: TestWorkspace, options = {}) =>
  workspace.call(
    operations.monitor.trace,
    {
      name: 'a run',
      featureSlug: 'chat',
      input: 'Write to ada@example.com',
      logs: [{ id: '1', type: 'generation', prompt: { slug: 'greeting' } }],
    },
    options,
  )

const statusOf = async (answer: Promise<{ readonly status: number; readonly text: string }>) => {
  const { status, text } = await answer
  return status === 200 || status === 201 ? 200 : `${status} ${text}`
}

async function readBack(workspace: TestWorkspace, answer: { readonly text: string }, options = {}) {
  const { trace } = JSON.parse(answer.text) as { trace: { id: string } }
  return (await workspace.ok(operations.traces.get, { id: trace.id }, options)).trace
}

const rule = { type: 'detector', detector: 'email', name: 'mail', action: 'mask' }

describe('a change in a workspace just before PostgreSQL becomes unavailable', async () => {
  const [workspace, second] = [await makeWorkspace(), await makeWorkspace()]
  const person = await workspace.signIn('editor')
  const [leaving, removed, demoted] = [
    await workspace.signIn('editor'),
    await workspace.signIn('editor'),
    await workspace.signIn('admin'),
  ]
  const owner = await workspace.signIn('owner')
  const revoked = await workspace.newKey(['ingest', 'read'])
  const unknown = await workspace.newKey(['ingest', 'read'])
  for (const options of [{}, person, leaving, removed, demoted, owner, { key: revoked.secret }])
    assert.equal(await statusOf(workspace.call(operations.traces.list, {}, options)), 200)
  const beforeOutage = await record(workspace)
  assert.equal(beforeOutage.status, 200, beforeOutage.text)
  await workspace.ok(operations.prompts.get, { slug: 'greeting' })
  assert.equal((await record(second)).status, 200)

  await workspace.ok(operations.keys.delete, { id: revoked.id })
  await send({ method: 'POST', url: '/auth/sign-out', headers: leaving.headers, payload: {} })
  await workspace.ok(operations.members.delete, { id: removed.id }, owner)
  await workspace.ok(operations.members.update, { id: demoted.id, role: 'viewer' }, owner)
  await workspace.ok(operations.masking.update, { rules: [rule] })
  await workspace.ok(operations.versions.create, { slug: 'greeting', ...version, version: '2', text: 'Hi' })
  await second.ok(operations.features.create, { slug: 'late', name: 'Late' })
  await database.kill()

  it('does not stop recording and reading with an API key', async () => {
    for (const each of [workspace, second]) {
      const answer = await record(each)
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await readBack(each, answer)).name, 'a run')
    }
    assert.equal((await readBack(workspace, beforeOutage)).name, 'a run')
  })

  it('does not stop recording and reading by a signed-in user', async () => {
    const answer = await record(workspace, person)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await readBack(workspace, answer, person)).name, 'a run')
  })

  it('applies the masking rules that were stored last', async () => {
    assert.equal((await readBack(workspace, await record(workspace))).input, 'Write to [email]')
    assert.equal((await readBack(second, await record(second))).input, 'Write to ada@example.com')
  })

  it('serves prompts as they were last read', async () => {
    const { prompt } = await workspace.ok(operations.prompts.get, { slug: 'greeting' })
    assert.equal(prompt.text, 'Hello')
  })

  it('keeps revoked keys and sessions revoked on this node', async () => {
    const ended = [{ key: revoked.secret }, leaving, removed, demoted, { key: unknown.secret }]
    for (const options of ended) assert.match(String(await statusOf(record(workspace, options))), /^503 /)
  })

  it('refuses with 503 what may have been created since the last read', async () => {
    const body = { name: 'a run', featureSlug: 'late', logs: [] }
    await second.refused(operations.monitor.trace, body, 503)
  })

  it('lets cached access be used for ten minutes', async () => {
    laterMs = 9 * 60_000
    for (const options of [{}, person]) assert.equal(await statusOf(record(workspace, options)), 200)
    laterMs = 11 * 60_000
    for (const options of [{}, person])
      assert.match(String(await statusOf(record(workspace, options))), /^503 /)
    laterMs = 0
  })

  it('takes effect once PostgreSQL is back', async () => {
    await database.restart()
    await eventually(async () => {
      const { prompt } = await workspace.ok(operations.prompts.get, { slug: 'greeting' })
      assert.equal(prompt.text, 'Hi')
    })
    assert.equal(
      await workspace.refused(operations.traces.list, {}, 401, { key: revoked.secret }),
      'This API key has been revoked.',
    )
    await workspace.refused(operations.traces.list, {}, 401, leaving)
    assert.equal(await statusOf(record(workspace, { key: unknown.secret })), 200)
  })
})
