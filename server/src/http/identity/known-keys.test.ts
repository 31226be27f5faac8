/** Which cached keys a node accepts while the control plane or other nodes are unreachable. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlStoreAway } from '@plumbline/storage/control'
import { hashSecret } from '../../accounts/keys/secret.ts'
import { makeAuthenticator, type StoredKey } from './authenticate.ts'

const minuteMs = 60_000

/** A single node, or one of several that can learn about changes on the others unless `hears` is false. */
function startNode({ isShared }: { readonly isShared: boolean }) {
  const node = { nowMs: 0, isAway: false, hears: true, revokedAt: undefined as Date | undefined }
  const secret = 'pl_a_key_of_this_test'
  const key = (): StoredKey => ({
    ...{ id: 'key', name: 'key', workspaceId: 'workspace', hash: hashSecret(secret), scopes: ['read'] },
    ...{ expiresAt: undefined, revokedAt: node.revokedAt },
  })
  const authenticator = makeAuthenticator({
    async findByHash() {
      if (node.isAway) throw new ControlStoreAway()
      return key()
    },
    catchUp: isShared ? async () => node.hears : undefined,
    now: () => new Date(node.nowMs),
  })
  const ask = async () => (await authenticator.authenticate(`Bearer ${secret}`, node.nowMs)).id
  return { node, authenticator, ask }
}

describe('one node without the control plane', () => {
  it('accepts a key as long as nothing changes', async () => {
    const { node, ask } = startNode({ isShared: false })
    await ask()
    node.isAway = true
    node.nowMs = 60 * minuteMs
    assert.equal(await ask(), 'key')
  })

  it('accepts it for ten minutes after a change, no matter when it was looked up', async () => {
    const { node, authenticator, ask } = startNode({ isShared: false })
    await ask()
    node.nowMs = 60 * minuteMs
    authenticator.forget('workspace')
    node.isAway = true
    node.nowMs += 5 * minuteMs
    authenticator.forget('workspace')
    node.nowMs += 4 * minuteMs
    assert.equal(await ask(), 'key')
    node.nowMs += 2 * minuteMs
    await assert.rejects(ask(), ControlStoreAway)
  })

  it('does not accept a key that was revoked on this node, alone or with its workspace', async () => {
    for (const ended of [{ workspaceId: 'workspace', id: 'key' }, { workspaceId: 'workspace' }]) {
      const { node, authenticator, ask } = startNode({ isShared: false })
      await ask()
      node.isAway = true
      authenticator.end({ workspaceId: 'workspace', id: 'another' })
      authenticator.end({ workspaceId: 'another', id: 'key' })
      assert.equal(await ask(), 'key')
      authenticator.end(ended)
      await assert.rejects(ask(), ControlStoreAway)
    }
  })

  it('does not accept a key that it has seen revoked', async () => {
    const { node, authenticator, ask } = startNode({ isShared: false })
    await ask()
    node.revokedAt = new Date(0)
    authenticator.forget('workspace')
    await assert.rejects(ask(), /revoked/)
    node.isAway = true
    await assert.rejects(ask(), ControlStoreAway)
  })
})

describe('one of several nodes without the control plane', () => {
  it('accepts a key for ten minutes after its last contact with the others', async () => {
    const { node, ask } = startNode({ isShared: true })
    await ask()
    node.nowMs = 60 * minuteMs
    await ask()
    Object.assign(node, { isAway: true, hears: false })
    node.nowMs += 9 * minuteMs
    assert.equal(await ask(), 'key')
    node.nowMs += 2 * minuteMs
    await assert.rejects(ask(), ControlStoreAway)
    Object.assign(node, { isAway: false, hears: true })
    assert.equal(await ask(), 'key')
  })

  it('does not accept a key whose workspace was changed on another node', async () => {
    const { node, authenticator, ask } = startNode({ isShared: true })
    await ask()
    authenticator.forget('workspace')
    node.isAway = true
    await assert.rejects(ask(), ControlStoreAway)
  })
})
