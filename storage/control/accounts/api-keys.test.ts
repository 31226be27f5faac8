import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AlreadyExists } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const later = new Date('2026-03-02T12:00:00Z')

forEachControlStore('API keys', (open) => {
  const newKey = () => ({ name: 'CI', hash: randomUUID(), prefix: 'pl_abcd', scopes: ['ingest', 'read'] })

  test('a key is found by the hash of its secret, with its workspace', async () => {
    const { store, workspace, workspaceId } = await open()
    const input = newKey()
    const created = await workspace.apiKeys.create({ ...input, expiresAt: later }, now)
    assert.deepEqual(created, {
      id: created.id,
      workspaceId,
      name: 'CI',
      prefix: 'pl_abcd',
      scopes: ['ingest', 'read'],
      expiresAt: later,
      createdAt: now,
      lastUsedAt: undefined,
      revokedAt: undefined,
    })
    assert.deepEqual(await store.findApiKeyByHash(input.hash), created)
    assert.equal(await store.findApiKeyByHash('unknown'), undefined)
  })

  test('a key has its creator, if known', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const { id } = await workspace.apiKeys.create({ ...newKey(), createdBy: 'ada' }, now)
    const { id: unknownMaker } = await workspace.apiKeys.create(newKey(), now)
    assert.deepEqual(await workspace.apiKeys.findMakers([id, unknownMaker]), new Map([[id, 'ada']]))
    assert.deepEqual(await other.apiKeys.findMakers([id]), new Map())
  })

  test('a hash is unique among all workspaces', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const input = newKey()
    await workspace.apiKeys.create(input, now)
    await assert.rejects(other.apiKeys.create(input, now), AlreadyExists)
  })

  test('a revoked key keeps the time of its first revocation, and another workspace cannot revoke it', async () => {
    const { store, workspace } = await open()
    const { workspace: other } = await open()
    const input = newKey()
    const { id } = await workspace.apiKeys.create(input, now)
    assert.equal(await other.apiKeys.revoke(id, now), false)
    assert.equal((await store.findApiKeyByHash(input.hash))?.revokedAt, undefined)
    assert.equal(await workspace.apiKeys.revoke(id, now), true)
    assert.equal(await workspace.apiKeys.revoke(id, later), true)
    assert.deepEqual((await store.findApiKeyByHash(input.hash))?.revokedAt, now)
  })

  test('keys are listed newest first, with the time of their last use', async () => {
    const { store, workspace } = await open()
    const { workspace: other } = await open()
    const old = await workspace.apiKeys.create(newKey(), now)
    const young = await workspace.apiKeys.create(newKey(), later)
    await store.touchApiKeys([young.id, old.id, 'unknown'], later)
    await store.touchApiKeys([old.id], now)
    await store.touchApiKeys([], now)
    const expected = [young, old].map((key) => ({ ...key, lastUsedAt: later }))
    assert.deepEqual(await workspace.apiKeys.list(), expected)
    assert.deepEqual(await other.apiKeys.list(), [])
  })
})
