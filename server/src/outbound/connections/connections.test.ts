import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, update, delete: remove, test } = operations.connections
const models = await startModelServer()
after(() => models.close())
const { app, dataFolder, newWorkspace } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' },
})

const secret = 'sk-a-secret-of-the-provider-1234'
const connect = async (workspace: TestWorkspace, fields: object = {}) =>
  (
    await workspace.ok(create, {
      name: 'Ours',
      provider: 'open-ai',
      apiKey: secret,
      baseUrl: models.url,
      models: ['gpt-4o'],
      ...fields,
    })
  ).connection

describe('connections.create', () => {
  it('201: returns the connection with the end of its key, which cannot be read anywhere again', async () => {
    const workspace = await newWorkspace()
    const { id, createdAt, ...connection } = await connect(workspace)
    assert.ok(id && createdAt)
    assert.deepEqual(connection, {
      name: 'Ours',
      provider: 'open-ai',
      baseUrl: models.url,
      models: ['gpt-4o'],
      keyEnd: '1234',
      spentToday: 0,
    })
    const { connections } = await workspace.ok(list)
    assert.ok(!JSON.stringify(connections).includes(secret))
    const storedConnection = await app.control.scopedTo({ workspaceId: workspace.id }).connections.find(id)
    assert.ok(storedConnection?.sealedKey?.startsWith('v1.'))
    if (hostEnvironment.PLUMBLINE_TEST_CONTROL !== 'PostgreSQL')
      for (const name of ['control.db', 'control.db-wal'])
        assert.ok(!readFileSync(join(dataFolder, name)).includes(secret))
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const input = { name: 'Ours', provider: 'open-ai' }
    const errorOf = (fields: object) => workspace.refused(create, { ...input, ...fields }, 400)
    assert.match(await errorOf({ provider: 'mine' }), /^provider: /)
    assert.match(await errorOf({ name: '' }), /^name: /)
    assert.match(await errorOf({ baseUrl: 'ftp://a' }), /^baseUrl: /)
    assert.match(await errorOf({ provider: 'openai-compatible' }), /^baseUrl: is required/)
    assert.match(await errorOf({ region: 'A B' }), /^region: /)
  })

  it('409: another connection has the name', async () => {
    const workspace = await newWorkspace()
    await connect(workspace)
    await workspace.refused(create, { name: 'Ours', provider: 'mistral' }, 409)
  })
})

describe('connections.list', () => {
  it('200: lists the connections of the workspace by name, and none of another', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await connect(other)
    await connect(workspace, { name: 'B' })
    await connect(workspace, { name: 'A', apiKey: null })
    const { connections } = await workspace.ok(list)
    assert.deepEqual(
      connections.map(({ name, keyEnd }) => [name, keyEnd]),
      [
        ['A', undefined],
        ['B', '1234'],
      ],
    )
  })
})

describe('connections.update', () => {
  it('200: changes the given fields and keeps the key', async () => {
    const workspace = await newWorkspace()
    const createdConnection = await connect(workspace)
    const first = await workspace.ok(update, { id: createdConnection.id, name: 'Yours', models: ['a', 'b'] })
    assert.deepEqual(first.connection, { ...createdConnection, name: 'Yours', models: ['a', 'b'] })
    const second = await workspace.ok(update, { id: createdConnection.id, apiKey: 'another-key-abcd' })
    assert.equal(second.connection.keyEnd, 'abcd')
    const third = await workspace.ok(update, { id: createdConnection.id, apiKey: null })
    assert.equal(third.connection.keyEnd, undefined)
  })

  it('400: a new base URL needs the key again, so that a stored key is sent only to the URL that it was given for', async () => {
    const workspace = await newWorkspace()
    const { id } = await connect(workspace)
    const moved = { id, baseUrl: 'https://elsewhere.example.com' }
    assert.match(await workspace.refused(update, moved, 400), /^apiKey: must be entered again/)
    await workspace.ok(update, { ...moved, apiKey: secret })
  })

  it('404: the connection belongs to another workspace', async () => {
    const { id } = await connect(await newWorkspace())
    await (await newWorkspace()).refused(update, { id, name: 'Mine' }, 404)
  })

  it('409: another connection has the name', async () => {
    const workspace = await newWorkspace()
    await connect(workspace)
    const { id } = await connect(workspace, { name: 'B' })
    await workspace.refused(update, { id, name: 'Ours' }, 409)
  })
})

describe('connections.delete', () => {
  it('204: deletes it, with 404 from then on', async () => {
    const workspace = await newWorkspace()
    const { id } = await connect(workspace)
    await workspace.ok(remove, { id })
    await workspace.refused(remove, { id }, 404)
  })
})

describe('connections.test', () => {
  it('200: works with each supported kind of provider', async () => {
    const workspace = await newWorkspace()
    for (const provider of ['open-ai', 'openai-compatible', 'anthropic', 'mistral']) {
      const { id } = await connect(workspace, { name: provider, provider })
      const { works, model, problem } = await workspace.ok(test, { id })
      assert.deepEqual([works, model, problem], [true, 'gpt-4o', undefined], provider)
    }
  })

  it('200: fails for Bedrock without a key, whatever AWS credentials the service has', async (context) => {
    const received: IncomingHttpHeaders[] = []
    const aws = createServer(({ headers }, response) => {
      received.push(headers)
      response.writeHead(403).end()
    })
    await new Promise<void>((onDone) => aws.listen(0, '127.0.0.1', onDone))
    context.after(() => aws.close())
    // Safe: it listens on a port.
    const baseUrl = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
      hostEnvironment[name] = `${name} of the operator`
      context.after(() => delete hostEnvironment[name])
    }
    const workspace = await newWorkspace()
    const { id } = await connect(workspace, { provider: 'bedrock', apiKey: null, baseUrl })
    const result = await workspace.ok(test, { id, model: 'any' })
    assert.equal(result.works, false)
    assert.match(result.problem ?? '', /no Bedrock API key/)
    assert.deepEqual(received, [])
  })

  it("200: reports the provider's error message, and never the key", async () => {
    const workspace = await newWorkspace()
    const { id } = await connect(workspace)
    const answer = await workspace.ok(test, { id, model: 'fake-401' })
    assert.equal(answer.works, false)
    assert.match(answer.problem ?? '', /^401 /)
    assert.ok(!answer.problem?.includes(secret))
    const { id: nowhere } = await connect(workspace, { name: 'B', baseUrl: 'http://127.0.0.1:2/v1' })
    assert.equal((await workspace.ok(test, { id: nowhere })).works, false)
  })

  it('400: needs a model, and a key that this secret can decrypt', async () => {
    const workspace = await newWorkspace()
    const { id } = await connect(workspace, { models: [] })
    assert.match(await workspace.refused(test, { id }, 400), /^model: is required/)
    const { connections } = app.control.scopedTo({ workspaceId: workspace.id })
    await connections.update(id, { key: { sealed: 'v1.AAAA', end: 'x' } }, new Date())
    assert.match(await workspace.refused(test, { id, model: 'm' }, 400), /PLUMBLINE_SECRET_KEY/)
  })

  it('404: the connection does not exist', async () => {
    await (await newWorkspace()).refused(test, { id: 'nobody' }, 404)
  })
})
