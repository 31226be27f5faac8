import assert from 'node:assert/strict'
import { it } from 'node:test'
import { senderName } from './sender-name.ts'

const keys = [{ id: 'k1', name: 'Shop' }]

it('an API key has its name, and somebody in the web app is told from one', () => {
  assert.equal(senderName({ apiKeyId: 'k1', apiKeyName: 'Shop' }, keys), 'Shop')
  assert.equal(senderName({ apiKeyId: 'u1', apiKeyName: 'Ada' }, keys), 'Ada (web app)')
  assert.equal(senderName({ apiKeyId: 'u1', apiKeyName: 'Ada' }, undefined), 'Ada')
})

it('a key that is gone is a deleted key, and no id', () => {
  assert.equal(senderName({ apiKeyId: '01a20200-e370-7053' }, keys), 'Deleted key')
  assert.equal(senderName({ apiKeyId: '01a20200-e370-7053' }, undefined), 'Deleted key')
})
