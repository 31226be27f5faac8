import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { startTestApp } from '../../../testing/test-app.ts'
import { ensureKey } from './first-key.ts'
import { hashSecret } from './secret.ts'

const preset = 'pl_preset_0123456789'
const { app, send } = await startTestApp({ settings: { PLUMBLINE_API_KEY: preset } })
const apiKeysOf = (workspaceId: string) => app.control.scopedTo({ workspaceId }).apiKeys
const statusWith = async (secret: string) =>
  (await send({ method: 'GET', url: '/features', headers: { authorization: `Bearer ${secret}` } })).status

describe('the first key', () => {
  it('is the preset one, which has all scopes in the default workspace and is not shown', async () => {
    assert.equal(await app.ensureFirstKey(), undefined)
    assert.equal(await statusWith(preset), 200)
    const [key] = await apiKeysOf(defaultWorkspaceId).list()
    assert.deepEqual(key?.scopes.toSorted(), ['ingest', 'manage', 'operate', 'read'])
  })

  it('has a name as an author that is not mistaken for a user', async () => {
    const headers = { authorization: `Bearer ${preset}`, 'content-type': 'application/json' }
    const post = (url: string, body: object) =>
      send({ method: 'POST', url, headers, payload: JSON.stringify(body) })
    await post('/prompts', { slug: 'named', name: 'Named' })
    await post('/prompts/named/versions', { version: '1', text: 'Hello' })
    const { text } = await send({ method: 'GET', url: '/prompts/named/versions', headers })
    assert.match(text, /"createdByName":"API key from the environment"/)
  })

  it('is renamed at startup if it still has the name of the setting', async () => {
    const { id } = await app.control.createWorkspace({ name: 'Test' })
    const formerKey = 'pl_former_0123456789'
    const hash = hashSecret(formerKey)
    const row = { name: 'PLUMBLINE_API_KEY', hash, prefix: 'pl_former', scopes: ['read'] }
    await apiKeysOf(id).create(row, new Date())
    await apiKeysOf(id).create({ ...row, hash: hashSecret('pl_other_0123456789') }, new Date())
    await ensureKey(apiKeysOf(id), app.control, formerKey, new Date())
    const names = (await apiKeysOf(id).list()).map(({ name }) => name)
    assert.deepEqual(names.toSorted(), ['API key from the environment', 'PLUMBLINE_API_KEY'])
  })

  it('is registered once, however often the service starts', async () => {
    const apiKeys = apiKeysOf(defaultWorkspaceId)
    assert.equal(await ensureKey(apiKeys, app.control, preset, new Date()), undefined)
    assert.equal((await apiKeys.list()).length, 1)
  })

  it('H1: keeps its scopes: an existing key does not gain operate', async () => {
    const { id } = await app.control.createWorkspace({ name: 'Test' })
    const presetKey = 'pl_known_0123456789'
    const scopes = ['ingest', 'read', 'manage']
    const key = { name: 'PLUMBLINE_API_KEY', hash: hashSecret(presetKey), prefix: 'pl_known', scopes }
    await apiKeysOf(id).create(key, new Date())
    await ensureKey(apiKeysOf(id), app.control, presetKey, new Date())
    assert.deepEqual(
      (await apiKeysOf(id).list()).map((each) => each.scopes),
      [scopes],
    )
  })

  it('is created and shown if none is preset, and only while there is no key', async () => {
    const { id } = await app.control.createWorkspace({ name: 'Test' })
    const secret = await ensureKey(apiKeysOf(id), app.control, undefined, new Date())
    assert.equal(await statusWith(secret ?? ''), 200)
    const [key] = await apiKeysOf(id).list()
    // H1: it is used in applications.
    assert.deepEqual(key?.scopes.toSorted(), ['ingest', 'manage', 'read'])
    assert.equal(await ensureKey(apiKeysOf(id), app.control, undefined, new Date()), undefined)
    assert.equal((await apiKeysOf(id).list()).length, 1)
  })
})
