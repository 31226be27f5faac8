import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { errorOf, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { sign, get } = operations.files
let now = new Date()
const bytesMax = 1000
const { send, newWorkspace, dataFolder } = await startTestApp({
  settings: {
    PLUMBLINE_FILE_BYTES_MAX: String(bytesMax),
    PLUMBLINE_PUBLIC_URL: 'https://plumbline.example/',
  },
  now: () => now,
})

const signFile = (workspace: TestWorkspace, fields: object = {}) =>
  workspace.ok(sign, { fileName: 'cat ü.png', contentType: 'image/png', ...fields })

/** Uploads bytes to a signed URL, without a key. */
const put = (uploadUrl: string, bytes: Buffer, headers: Record<string, string> = {}) =>
  send({
    method: 'PUT',
    url: uploadUrl.replace('https://plumbline.example', ''),
    payload: bytes,
    headers: { 'content-type': 'image/png', ...headers },
  })

const bytes = Buffer.from([0, 255, 1, 2, 3, 128, 10, 13])

describe('files.sign', () => {
  describe('200', () => {
    it('returns a URL that accepts the bytes, and files.get returns them with their type and name', async () => {
      const workspace = await newWorkspace()
      const signed = await signFile(workspace)
      assert.equal(signed.maxSizeBytes, bytesMax)
      assert.ok(signed.uploadUrl.startsWith('https://plumbline.example/files/upload/'))
      assert.equal(Date.parse(signed.expiresAt), Math.floor(now.getTime() / 1000) * 1000 + 15 * 60_000)
      assert.equal((await put(signed.uploadUrl, bytes)).status, 200)
      const read = await workspace.call(get, { fileKey: signed.fileKey })
      assert.deepEqual([read.status, read.headers['content-type']], [200, 'image/png'])
      assert.equal(read.headers['content-disposition'], "attachment; filename*=UTF-8''cat%20%C3%BC.png")
      assert.equal(read.headers['x-content-type-options'], 'nosniff')
      assert.deepEqual(read.bytes, bytes)
    })

    it('returns a URL that accepts JSON as raw bytes, and a file of exactly the maximum size', async () => {
      const workspace = await newWorkspace()
      const signed = await signFile(workspace, { contentType: 'application/json', sizeBytes: bytesMax })
      const json = Buffer.from(' {"a":  1} '.padEnd(bytesMax))
      assert.equal((await put(signed.uploadUrl, json, { 'content-type': 'application/json' })).status, 200)
      assert.deepEqual((await workspace.call(get, { fileKey: signed.fileKey })).bytes, json)
    })
  })

  describe('400', () => {
    it('names the invalid field', async () => {
      const workspace = await newWorkspace()
      const refusals: [path: string, fields: object][] = [
        ['fileName', { fileName: '' }],
        ['fileName', { fileName: undefined }],
        ['contentType', { contentType: 5 }],
        ['sizeBytes', { sizeBytes: -1 }],
        ['sizeBytes', { sizeBytes: 1.5 }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(
          sign,
          { fileName: 'a', contentType: 'text/plain', ...fields },
          400,
        )
        assert.ok(error.startsWith(`${path}: `), error)
      }
    })
  })

  it('400: refuses an invalid media type, and accepts every valid one (M5)', async () => {
    const workspace = await newWorkspace()
    for (const contentType of [
      'ünïcode',
      'image/ünï',
      'text/plain\r\nx: y',
      'image/png\0',
      'text',
      'a/b; c',
      '/b',
    ]) {
      const error = await workspace.refused(sign, { fileName: 'a', contentType }, 400)
      assert.equal(error, 'contentType: must be a media type, such as image/png')
    }
    for (const contentType of ['image/svg+xml', 'text/plain; charset=utf-8', 'a/b;x="y z" ; q=1', 'A/x.y-z'])
      await signFile(workspace, { contentType })
  })

  describe('413', () => {
    it('refuses a declared size over the limit', async () => {
      const input = { fileName: 'a', contentType: 'text/plain', sizeBytes: bytesMax + 1 }
      const error = await (await newWorkspace()).refused(sign, input, 413)
      assert.equal(error, `The file is larger than ${bytesMax} bytes.`)
    })
  })
})

describe('the signed URL', () => {
  it('403: refuses a tampered URL, another file, and a missing signature', async () => {
    const workspace = await newWorkspace()
    const { uploadUrl, fileKey } = await signFile(workspace)
    const other = await signFile(workspace)
    const tampered = [
      uploadUrl.replace(fileKey, other.fileKey),
      uploadUrl.replace(/expires=\d+/, 'expires=9999999999'),
      uploadUrl.replace(/workspace=[^&]+/, 'workspace=default'),
      uploadUrl.replace(/signature=.*/, 'signature=AAAA'),
      uploadUrl.split('?', 1)[0]!,
    ]
    for (const url of tampered) {
      const answer = await put(url, bytes)
      assert.equal(answer.status, 403, url)
      assert.equal(errorOf(answer), 'This upload address was not made by this service.')
    }
    await workspace.refused(get, { fileKey }, 404)
  })

  it('403: refuses bytes after it has expired', async () => {
    const { uploadUrl } = await signFile(await newWorkspace())
    const signedAt = now
    now = new Date(signedAt.getTime() + 16 * 60_000)
    const answer = await put(uploadUrl, bytes)
    now = signedAt
    assert.equal(answer.status, 403)
    assert.match(errorOf(answer), /expired/)
  })

  it('403: refuses bytes after it was used, and keeps the existing ones (L7)', async () => {
    const workspace = await newWorkspace()
    const { uploadUrl, fileKey } = await signFile(workspace)
    assert.equal((await put(uploadUrl, bytes)).status, 200)
    for (const other of [bytes, Buffer.from('others')]) {
      const answer = await put(uploadUrl, other)
      assert.equal(answer.status, 403)
      assert.equal(errorOf(answer), 'This upload address has been used; request a new one.')
    }
    assert.deepEqual((await workspace.call(get, { fileKey })).bytes, bytes)
  })

  it('200: accepts a new attempt after one that was too large, and one of several concurrent uploads (L7)', async () => {
    const workspace = await newWorkspace()
    const { uploadUrl, fileKey } = await signFile(workspace)
    assert.equal((await put(uploadUrl, Buffer.alloc(bytesMax + 1))).status, 413)
    const several = [1, 2, 3, 4].map((fill) => Buffer.alloc(900, fill))
    const answers = await Promise.all(several.map((each) => put(uploadUrl, each)))
    const accepted = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    assert.equal(accepted.length, 1)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200).map(({ status }) => status),
      [403, 403, 403],
    )
    assert.deepEqual((await workspace.call(get, { fileKey })).bytes, several[accepted[0]!])
  })

  it('413: accepts nothing that is too large, and leaves nothing of it behind', async () => {
    const workspace = await newWorkspace()
    const { uploadUrl, fileKey } = await signFile(workspace)
    const answer = await put(uploadUrl, Buffer.alloc(bytesMax + 1))
    assert.equal(answer.status, 413)
    assert.match(errorOf(answer), /larger than 1000 bytes/)
    await workspace.refused(get, { fileKey }, 404)
    const left = readdirSync(dataFolder, { recursive: true }).map(String)
    assert.deepEqual(
      left.filter((path) => path.startsWith(join('files', workspace.id)) && path.includes(fileKey)),
      [],
    )
  })
})
