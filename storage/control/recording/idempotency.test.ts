import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const request = { apiKeyId: 'key', route: 'monitor.trace', key: 'once' }

forEachControlStore('idempotent requests', (open) => {
  test('the first request claims the key, and a later one gets its response', async () => {
    const { workspace } = await open()
    const { claim, complete } = workspace.idempotency
    assert.deepEqual(await claim({ ...request, bodyHash: 'h', traceId: 't' }, now), { type: 'claimed' })
    const earlier = { bodyHash: 'h', traceId: 't', answer: undefined, createdAt: now }
    assert.deepEqual(await claim({ ...request, bodyHash: 'x' }, now), { type: 'taken', earlier })
    await complete(request, { status: 200, body: '{"a":1}' })
    assert.deepEqual(await claim({ ...request, bodyHash: 'h' }, now), {
      type: 'taken',
      earlier: { ...earlier, answer: { status: 200, body: '{"a":1}' } },
    })
  })

  test('exactly one of several concurrent requests claims the key', async () => {
    const { workspace } = await open()
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((traceId) =>
        workspace.idempotency.claim({ ...request, bodyHash: 'h', traceId }, now),
      ),
    )
    assert.equal(claims.filter(({ type }) => type === 'claimed').length, 1)
    const winner = ['a', 'b', 'c', 'd', 'e', 'f'][claims.findIndex(({ type }) => type === 'claimed')]
    for (const claim of claims) if (claim.type === 'taken') assert.equal(claim.earlier.traceId, winner)
  })

  test('a different key, route, caller or workspace is a different request', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const input = { ...request, bodyHash: 'h' }
    const { claim } = workspace.idempotency
    for (const different of [{}, { key: 'twice' }, { route: 'monitor.log' }, { apiKeyId: 'other' }]) {
      assert.equal((await claim({ ...input, ...different }, now)).type, 'claimed')
    }
    assert.equal((await other.idempotency.claim(input, now)).type, 'claimed')
    await other.idempotency.release(request)
    await other.idempotency.forgetBefore(new Date(now.getTime() + 1))
    assert.equal((await claim(input, now)).type, 'taken')
  })

  test('a request that failed frees its key', async () => {
    const { workspace } = await open()
    const { claim, release } = workspace.idempotency
    await claim({ ...request, bodyHash: 'h' }, now)
    await release(request)
    assert.equal((await claim({ ...request, bodyHash: 'other' }, now)).type, 'claimed')
  })

  test('requests before a given time are deleted, and the others kept', async () => {
    const { workspace } = await open()
    const { claim, forgetBefore } = workspace.idempotency
    await claim({ ...request, key: 'old', bodyHash: 'h' }, new Date(now.getTime() - 1))
    await claim({ ...request, key: 'new', bodyHash: 'h' }, now)
    await forgetBefore(now)
    assert.equal((await claim({ ...request, key: 'old', bodyHash: 'h' }, now)).type, 'claimed')
    assert.equal((await claim({ ...request, key: 'new', bodyHash: 'h' }, now)).type, 'taken')
  })
})
