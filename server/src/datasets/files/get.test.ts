import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { newFileKey } from './file-key.ts'

const { sign, get } = operations.files
const { app, dataFolder, send, newWorkspace } = await startTestApp()

/** Announces a file, and uploads its bytes if there are any. */
async function makeFile(workspace: TestWorkspace, bytes?: Buffer): Promise<string> {
  const { uploadUrl, fileKey } = await workspace.ok(sign, { fileName: 'a.bin', contentType: 'text/html' })
  const headers = { 'content-type': 'text/html' }
  const { pathname, search } = new URL(uploadUrl)
  if (bytes !== undefined) await send({ method: 'PUT', url: pathname + search, payload: bytes, headers })
  return fileKey
}

describe('files.get', () => {
  it('200: returns the bytes as a download that no browser executes', async () => {
    const workspace = await newWorkspace()
    const bytes = Buffer.from('<script>alert(1)</script>')
    const answer = await workspace.call(get, { fileKey: await makeFile(workspace, bytes) })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.bytes, bytes)
    assert.equal(answer.headers['content-disposition'], "attachment; filename*=UTF-8''a.bin")
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  })

  it("200: uses the workspace that the URL names, whatever the user's cookie names", async () => {
    const [first, own, foreign] = [await newWorkspace(), await newWorkspace(), await newWorkspace()]
    const person = await first.signIn('viewer')
    await own.join(person, 'viewer')
    const fileKey = await makeFile(own, Buffer.from('x'))
    const { cookie } = person.headers as { cookie: string }
    const headers = { ...person.headers, cookie: `${cookie}; plumbline-workspace=${first.id}` }
    for (const method of ['GET', 'HEAD'] as const) {
      const statusOf = async (query: string): Promise<number> =>
        (await send({ method, url: `/files/${fileKey}${query}`, headers })).status
      assert.equal(await statusOf(''), 404)
      assert.equal(await statusOf(`?workspace=${own.id}`), 200)
      assert.equal(await statusOf(`?workspace=${foreign.id}`), 403)
    }
  })

  it('404: the file does not exist, has no bytes yet, or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const announced = await makeFile(workspace)
    const theirs = await makeFile(other, Buffer.from('x'))
    for (const fileKey of ['nobody', '../control.db', announced, theirs]) {
      const error = await workspace.refused(get, { fileKey }, 404)
      assert.equal(error, `No file has the key "${fileKey}".`)
    }
  })

  it('404: a stored key leads out of the folder, however it came to be there (C1)', async () => {
    const workspace = await newWorkspace()
    const { files } = app.control.scopedTo({ workspaceId: workspace.id })
    const folder = join(dataFolder, 'files', workspace.id)
    mkdirSync(folder, { recursive: true })
    symlinkSync(join(dataFolder, 'control.db'), join(folder, 'link'))
    for (const fileKey of [
      '../../control.db',
      '..%2F..%2Fcontrol.db',
      '/etc/passwd',
      '../default/x',
      'link',
    ]) {
      await files.create({ fileKey, fileName: 'x', contentType: 'text/plain' }, new Date())
      await files.markUploaded(fileKey, { sizeBytes: 1, keep: async () => {} }, new Date())
      await workspace.refused(get, { fileKey }, 404)
    }
    const announced = await makeFile(workspace)
    symlinkSync(join(dataFolder, 'control.db'), join(folder, announced))
    await workspace.refused(get, { fileKey: announced }, 404)
  })

  it('200: serves a file with a type that no header can carry as plain bytes (M5)', async () => {
    const workspace = await newWorkspace()
    const { files } = app.control.scopedTo({ workspaceId: workspace.id })
    for (const contentType of ['ünïcode', 'text/plain\r\nx-evil: 1', 'text']) {
      const fileKey = newFileKey(new Date())
      await files.create({ fileKey, fileName: "it's (a) \ud800*.bin", contentType }, new Date())
      const folder = join(dataFolder, 'files', workspace.id)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, fileKey), 'bytes')
      const answer = await workspace.call(get, { fileKey })
      assert.deepEqual([answer.status, answer.text], [200, 'bytes'])
      assert.equal(answer.headers['content-type'], 'application/octet-stream')
      assert.equal(
        answer.headers['content-disposition'],
        "attachment; filename*=UTF-8''it%27s%20%28a%29%20%EF%BF%BD%2A.bin",
      )
      assert.equal(answer.headers['x-evil'], undefined)
    }
  })
})
