import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../testing.ts'

const { sign, get } = operations.files
const { send, newWorkspace } = await startTestApp()

/** Announces a file, and uploads its bytes if there are any. */
async function makeFile(workspace: TestWorkspace, bytes?: Buffer): Promise<string> {
  const { uploadUrl, fileKey } = await workspace.ok(sign, { fileName: 'a.bin', contentType: 'text/html' })
  const headers = { 'content-type': 'text/html' }
  const { pathname, search } = new URL(uploadUrl)
  if (bytes !== undefined) await send({ method: 'PUT', url: pathname + search, payload: bytes, headers })
  return fileKey
}

describe('files.get', () => {
  it('200: has the bytes, as a download that no browser runs', async () => {
    const workspace = await newWorkspace()
    const bytes = Buffer.from('<script>alert(1)</script>')
    const answer = await workspace.call(get, { fileKey: await makeFile(workspace, bytes) })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.bytes, bytes)
    assert.equal(answer.headers['content-disposition'], "attachment; filename*=UTF-8''a.bin")
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  })

  it('404: is a file that does not exist, has no bytes yet, or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const announced = await makeFile(workspace)
    const theirs = await makeFile(other, Buffer.from('x'))
    for (const fileKey of ['nobody', '../control.db', announced, theirs]) {
      const error = await workspace.refused(get, { fileKey }, 404)
      assert.equal(error, `No file has the key "${fileKey}".`)
    }
  })
})
