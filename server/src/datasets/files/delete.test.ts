import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'
import { makeFile } from '../../../testing/things.ts'

const { delete: remove, get } = operations.files
const { newWorkspace, send, dataFolder } = await startTestApp()

describe('files.delete', () => {
  it('204: deletes the file with its bytes, and no other', async () => {
    const workspace = await newWorkspace()
    const [fileKey, other] = [await makeFile(workspace, send), await makeFile(workspace, send)]
    const pathOf = (key: string) => join(dataFolder, 'files', workspace.id, key)
    assert.ok(existsSync(pathOf(fileKey)))
    await workspace.ok(remove, { fileKey })
    await workspace.refused(get, { fileKey }, 404)
    assert.ok(!existsSync(pathOf(fileKey)))
    assert.equal((await workspace.call(get, { fileKey: other })).text, 'x')
  })

  it('404: the file does not exist, or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const fileKey = await makeFile(other, send)
    for (const key of ['nothing', fileKey]) await workspace.refused(remove, { fileKey: key }, 404)
    assert.equal((await other.call(get, { fileKey })).status, 200)
  })
})
