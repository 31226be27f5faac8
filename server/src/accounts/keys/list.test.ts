import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

describe('keys.list', () => {
  it('200: lists the keys of the workspace, including revoked ones, without secrets', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { apiKey, secret } = await workspace.ok(operations.keys.create, {
      name: 'Second',
      scopes: ['ingest'],
    })
    await workspace.ok(operations.keys.delete, { id: apiKey.id })
    const answer = await workspace.call(operations.keys.list)
    assert.ok(!answer.text.includes(secret) && !answer.text.includes('hash'))
    const { apiKeys } = await workspace.ok(operations.keys.list)
    assert.deepEqual(apiKeys.map(({ id }) => id).toSorted(), [workspace.key.id, apiKey.id].toSorted())
    assert.ok(apiKeys.find(({ id }) => id === apiKey.id)?.revokedAt !== undefined)
    assert.ok(!apiKeys.some(({ id }) => id === other.key.id))
  })
})
