import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  scopes as all,
  allOperations,
  type Operation,
  operations,
  roleOfScope,
  roles,
  type Scope,
} from '@plumbline/contract'
import { errorOf, startTestApp } from '../../../testing/test-app.ts'

const { send, newWorkspace } = await startTestApp()

/**
 * The scopes that the interface assigns: `operate` for whole workspaces and jobs, `ingest` for recording including scores,
 * `read` for every GET of viewers, and `manage` for the rest.
 */
function scopeOf({ method, path, role }: Operation): Scope {
  if (path === '/export' || path === '/import' || path.startsWith('/jobs')) return 'operate'
  // Prices apply to the whole installation; the verb refuses keys of any workspace but the first.
  if (method === 'POST' && path === '/price-lists') return 'operate'
  if (method === 'GET') return role === 'viewer' || role === 'anyone' ? 'read' : 'manage'
  if (path.startsWith('/scores')) return 'ingest'
  // A POST that names a resource in its path changes it.
  return method === 'POST' && /^\/monitor\/\w+$/.test(path) ? 'ingest' : 'manage'
}

describe('every operation', () => {
  for (const operation of allOperations) {
    it(`401: ${operation.name} without a key`, async () => {
      const workspace = await newWorkspace()
      const answer = await workspace.call(operation, {}, { key: null })
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer'])
      errorOf(answer)
    })

    if (operation.scope === null) {
      it(`403: ${operation.name} with any key`, async () => {
        const error = await (await newWorkspace()).refused(operation, {}, 403)
        assert.equal(error, 'Only a person who is signed in may do this, not an API key.')
      })
      continue
    }

    it(`403: ${operation.name} with a key that lacks ${scopeOf(operation)}`, async () => {
      const workspace = await newWorkspace()
      const scope = scopeOf(operation)
      assert.equal(operation.scope, scope)
      const enough = [scope, operation.orScope, ...(scope === 'read' ? ['manage'] : [])]
      const { secret } = await workspace.newKey(all.filter((other) => !enough.includes(other)))
      const error = await workspace.refused(operation, {}, 403, { key: secret })
      const needed = operation.orScope === undefined ? `"${scope}"` : `"${scope}" or "${operation.orScope}"`
      assert.equal(
        error,
        `This API key lacks the scope ${needed}, which this route needs${scope === 'operate' ? '; only an owner can create a key with it' : ''}.`,
      )
      for (const each of all.filter((other) => enough.includes(other))) {
        const { secret: key } = await workspace.newKey([each])
        const { status } = await workspace.call(operation, {}, { key })
        assert.ok(status !== 401 && status !== 403)
      }
    })
  }

  for (const { name, scope, orScope, role } of allOperations) {
    it(`L2: ${name} gives a key no more power than the role that corresponds to its scope`, () => {
      if (role === 'anyone') return
      if (role === 'operator') return assert.ok(scope === null || scope === 'operate')
      for (const each of [scope, orScope].filter((candidate) => candidate != null))
        assert.ok(
          roles.indexOf(roleOfScope[each]) >= roles.indexOf(role),
          `${each} is a scope of the role ${roleOfScope[each]}, and people need ${role}`,
        )
    })
  }

  it('200: manage includes read', async () => {
    const workspace = await newWorkspace()
    const { secret: key } = await workspace.newKey(['manage'])
    await workspace.ok(operations.features.list, {}, { key })
  })
})

describe('a credential', () => {
  const ask = (authorization: string) => send({ method: 'GET', url: '/features', headers: { authorization } })

  it('is accepted after Bearer in any case, and after several spaces', async () => {
    const { key } = await newWorkspace()
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer   '])
      assert.equal((await ask(`${scheme} ${key.secret}`)).status, 200)
  })

  it('is 401 if it is malformed, mistyped or unknown', async () => {
    const { key } = await newWorkspace()
    const { secret } = key
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      secret,
      `Basic ${secret}`,
      `Bearer ${secret} x`,
      'Bearer pl_unknown',
    ]
    for (const authorization of [
      ...wrong,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret.slice(0, -1)}?`,
    ]) {
      const answer = await ask(authorization)
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer'], authorization)
      assert.ok(!errorOf(answer).includes(secret.slice(3, 20)))
    }
  })

  it('is checked before the body', async () => {
    const workspace = await newWorkspace()
    const broken = { key: null, payload: '{"broken', headers: { 'content-type': 'text/html' } }
    await workspace.refused(operations.monitor.trace, {}, 401, broken)
    const { secret } = await workspace.newKey(['read'])
    await workspace.refused(operations.monitor.trace, {}, 403, { ...broken, key: secret })
  })
})
