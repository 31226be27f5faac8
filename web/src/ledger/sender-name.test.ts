import assert from 'node:assert/strict'
import { it } from 'node:test'
import { senderName } from './sender-name.ts'

const keys = [{ id: 'k1', name: 'Shop' }]

it('shows the name of an API key, and marks records from the web app', () => {
  assert.equal(senderName({ apiKeyId: 'k1', apiKeyName: 'Shop' }, keys), 'Shop')
  assert.equal(senderName({ apiKeyId: 'u1', apiKeyName: 'Ada' }, keys), 'Ada (web app)')
  assert.equal(senderName({ apiKeyId: 'u1', apiKeyName: 'Ada' }, undefined), 'Ada')
})

it('shows a removed key as deleted, without its id', () => {
  assert.equal(senderName({ apiKeyId: '01a20200-e370-7053' }, keys), 'Deleted key')
  assert.equal(senderName({ apiKeyId: '01a20200-e370-7053' }, undefined), 'Deleted key')
})
