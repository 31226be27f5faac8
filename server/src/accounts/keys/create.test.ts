import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { create, list } = operations.keys
let now = new Date()
const { newWorkspace } = await startTestApp({ now: () => now })

describe('keys.create', () => {
  describe('201', () => {
    it('returns a secret that works at once, with the requested scopes and no others', async () => {
      const workspace = await newWorkspace()
      const { apiKey, secret } = await workspace.ok(create, { name: 'Reader', scopes: ['read'] })
      assert.match(secret, /^pl_[0-9A-Za-z]{49}$/)
      assert.ok(secret.startsWith(apiKey.prefix) && apiKey.prefix.length < 12)
      assert.deepEqual([apiKey.name, apiKey.scopes, 'expiresAt' in apiKey], ['Reader', ['read'], false])
      await workspace.ok(list, {}, { key: secret })
      await workspace.refused(create, { name: 'x', scopes: ['read'] }, 403, { key: secret })
      await workspace.refused(operations.monitor.trace, {}, 403, { key: secret })
    })

    it('creates a key that stops working when it expires, even while in use', async () => {
      const workspace = await newWorkspace()
      const expiresAt = new Date(now.getTime() + 60_000)
      const creation = await workspace.ok(create, {
        name: 'Short',
        scopes: ['read'],
        expiresAt: expiresAt.toISOString(),
      })
      assert.equal(creation.apiKey.expiresAt, expiresAt.toISOString())
      const options = { key: creation.secret }
      await workspace.ok(list, {}, options)
      const before = now
      now = expiresAt
      assert.equal(await workspace.refused(list, {}, 401, options), 'This API key has expired.')
      now = before
    })

    it('accepts an expiry in any timestamp form, and null for none', async () => {
      const workspace = await newWorkspace()
      const seconds = Math.floor(now.getTime() / 1000) + 100
      const input = { name: 'x', scopes: ['ingest', 'read', 'manage'] }
      const { apiKey } = await workspace.ok(create, { ...input, expiresAt: seconds })
      assert.equal(apiKey.expiresAt, new Date(seconds * 1000).toISOString())
      assert.ok(!('expiresAt' in (await workspace.ok(create, { ...input, expiresAt: null })).apiKey))
    })
  })

  describe('H1: the scope operate', () => {
    const input = { name: 'Backups', scopes: ['operate'] }

    it('201: comes with a key that an owner creates, and allows only its own operations', async () => {
      const workspace = await newWorkspace()
      const { apiKey, secret: key } = await workspace.ok(create, input, await workspace.signIn('owner'))
      assert.deepEqual(apiKey.scopes, ['operate'])
      assert.equal((await workspace.call(operations.exchange.export, {}, { key })).status, 200)
      for (const operation of [list, create, operations.monitor.trace, operations.invitations.create])
        await workspace.refused(operation, {}, 403, { key })
    })

    it('403: cannot be created by a key, whatever its scopes, or by users who are not owners', async () => {
      const workspace = await newWorkspace()
      const manage = await workspace.newKey(['ingest', 'read', 'manage'])
      const callers = [{}, { key: manage.secret }, await workspace.signIn('admin')]
      for (const caller of callers) {
        const error = await workspace.refused(create, { ...input, scopes: ['read', 'operate'] }, 403, caller)
        assert.equal(error, 'Only an owner who is signed in can create a key with the scope "operate".')
      }
    })

    it('is required to copy or replace a workspace: manage and the role admin are not enough', async () => {
      const workspace = await newWorkspace()
      const { secret: key } = await workspace.newKey(['ingest', 'read', 'manage'])
      for (const operation of [operations.exchange.export, operations.exchange.import]) {
        assert.match(await workspace.refused(operation, {}, 403, { key }), /"operate".*only an owner/)
        await workspace.refused(operation, {}, 403, await workspace.signIn('admin'))
      }
    })
  })

  describe('400', () => {
    it('names the invalid field', async () => {
      const workspace = await newWorkspace()
      const refusals: [path: string, fields: object][] = [
        ['name', { name: '' }],
        ['scopes', { scopes: undefined }],
        ['scopes', { scopes: [] }],
        ['scopes', { scopes: ['read', 'read'] }],
        ['scopes[0]', { scopes: ['admin'] }],
        ['expiresAt', { expiresAt: 'tomorrow' }],
        ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(create, { name: 'x', scopes: ['read'], ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })
})
