import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deriveKey, labels } from './derive-key.ts'
import { makeKeyring } from './keyring.ts'

const keyringOf = (rootSecret: string) => makeKeyring(deriveKey(rootSecret, labels.sealing))
const keyring = keyringOf('a secret of thirty-two characters')

describe('a sealed key', () => {
  it('opens for its workspace, and reveals nothing', () => {
    const sealed = keyring.seal('sk-ünïcode', 'one')
    assert.equal(keyring.open(sealed, 'one'), 'sk-ünïcode')
    assert.notEqual(keyring.seal('sk-ünïcode', 'one'), sealed)
    assert.ok(!Buffer.from(sealed.slice(3), 'base64url').includes('sk-'))
  })

  it('does not open for another workspace, with another secret, or if a bit has changed', () => {
    const sealed = keyring.seal('sk-1', 'one')
    assert.throws(() => keyring.open(sealed, 'two'))
    assert.throws(() => keyringOf('another secret').open(sealed, 'one'))
    for (const index of [0, 13, -1]) {
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      const place = index < 0 ? bytes.length + index : index
      bytes[place] = bytes[place]! ^ 1
      assert.throws(() => keyring.open(`v1.${bytes.toString('base64url')}`, 'one'))
    }
    assert.throws(() => keyring.open('v0.x', 'one'))
  })
})
