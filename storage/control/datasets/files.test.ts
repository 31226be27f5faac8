import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const later = new Date('2026-03-02T12:00:00Z')

forEachControlStore('files', (open) => {
  test('an upload is announced, then has its bytes', async () => {
    const { workspace } = await open()
    const input = { fileKey: 'k', fileName: 'a b.png', contentType: 'image/png' }
    const announced = await workspace.files.create(input, now)
    assert.deepEqual(announced, { ...input, sizeBytes: undefined, createdAt: now, uploadedAt: undefined })
    let storeCount = 0
    const keep = async () => void storeCount++
    assert.equal(await workspace.files.markUploaded('k', { sizeBytes: 7, keep }, later), true)
    // L7: an upload URL works once.
    assert.equal(await workspace.files.markUploaded('k', { sizeBytes: 8, keep }, later), false)
    assert.equal(storeCount, 1)
    assert.deepEqual(await workspace.files.find('k'), { ...announced, sizeBytes: 7, uploadedAt: later })
    await assert.rejects(workspace.files.create(input, now), AlreadyExists)
  })

  test('an upload whose bytes cannot be stored is not recorded, and can be retried', async () => {
    const { workspace } = await open()
    await workspace.files.create({ fileKey: 'k', fileName: 'a', contentType: 'text/plain' }, now)
    const keep = () => Promise.reject(new Error('disk full'))
    await assert.rejects(workspace.files.markUploaded('k', { sizeBytes: 7, keep }, later), /disk full/)
    assert.equal((await workspace.files.find('k'))?.uploadedAt, undefined)
    assert.equal(await workspace.files.markUploaded('k', { sizeBytes: 7, keep: async () => {} }, later), true)
  })

  test('another workspace can neither find an upload nor upload its bytes', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.files.create(
      { fileKey: 'k', fileName: 'a', contentType: 'text/plain', sizeBytes: 3 },
      now,
    )
    assert.equal(await other.files.find('k'), undefined)
    const keep = () => assert.fail('bytes of another workspace were kept')
    assert.equal(await other.files.markUploaded('k', { sizeBytes: 7, keep }, now), false)
    assert.equal((await workspace.files.find('k'))?.sizeBytes, 3)
  })
})
