/**
 * Files in a bucket, which only the service reaches. The bucket in this test stores objects, and checks what S3 checks
 * except for signatures.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { errorOf, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { makeBucketFiles } from './bucket-files.ts'
import { type FileKey, newFileKey } from './file-key.ts'

const { sign, get, delete: remove } = operations.files

let isAway = false
/** Runs before each write to the bucket. */
let beforePut = async (_body: Buffer): Promise<void> => {}
const objects = new Map<string, Buffer>()
const bucket = createServer((request, response) => {
  void buffer(request).then((body) => {
    const path = request.url ?? ''
    const answer = (status: number, bytes?: Buffer): void => void response.writeHead(status).end(bytes)
    if (isAway) return answer(503)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=a/')) return answer(403)
    if (request.method === 'GET') return answer(objects.has(path) ? 200 : 404, objects.get(path))
    if (request.method === 'DELETE') return answer(objects.delete(path) ? 204 : 404)
    if (request.headers['content-length'] === undefined) return answer(411)
    const sha256 = createHash('sha256').update(body).digest('hex')
    if (request.headers['x-amz-content-sha256'] !== sha256) return answer(400)
    void beforePut(body).then(() => {
      objects.set(path, body)
      answer(200)
    })
  })
})
await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
after(() => bucket.close())
const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/bucket`
const bytesMax = 1000
const { send, newWorkspace, dataFolder } = await startTestApp({
  settings: {
    PLUMBLINE_FILE_BYTES_MAX: String(bytesMax),
    S3_BUCKET_URL: url,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  },
})

const bytes = Buffer.from([0, 255, 1, 2, 3, 128, 10, 13])

async function upload(workspace: TestWorkspace, content = bytes) {
  const { uploadUrl, fileKey } = await workspace.ok(sign, { fileName: 'a.png', contentType: 'image/png' })
  const { pathname, search } = new URL(uploadUrl)
  const put = () =>
    send({
      method: 'PUT',
      url: pathname + search,
      payload: content,
      headers: { 'content-type': 'image/png' },
    })
  return { fileKey, put, answer: await put() }
}

/** Uploads that are not in the bucket yet. */
const partials = (): string[] =>
  readdirSync(join(dataFolder, 'files'), { recursive: true }).filter((name) =>
    String(name).includes('partial'),
  ) as string[]

describe('files in a bucket', () => {
  it('are uploaded and downloaded through the service, so that browsers need not reach the bucket', async () => {
    const workspace = await newWorkspace()
    const { fileKey, put, answer } = await upload(workspace)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([...objects.values()].at(-1), bytes)
    assert.deepEqual(partials(), [])
    const read = await workspace.call(get, { fileKey })
    assert.deepEqual([read.status, read.headers['content-type']], [200, 'image/png'])
    assert.deepEqual(read.bytes, bytes)
    assert.match(errorOf(await put()), /has been used/)
    const exported = await workspace.call(operations.exchange.export, {})
    assert.match(exported.text, new RegExp(`"fileKey":"${fileKey}","base64":"${bytes.toString('base64')}"`))
    const count = objects.size
    await workspace.ok(remove, { fileKey })
    assert.equal(objects.size, count - 1)
    assert.equal((await workspace.call(get, { fileKey })).status, 404)
  })

  it('have the bytes of the accepted upload if two arrive at one URL at once', async () => {
    const workspace = await newWorkspace()
    const { uploadUrl, fileKey } = await workspace.ok(sign, { fileName: 'a.png', contentType: 'image/png' })
    const { pathname, search } = new URL(uploadUrl)
    const put = (payload: Buffer) =>
      send({ method: 'PUT', url: pathname + search, payload, headers: { 'content-type': 'image/png' } })
    const { promise: secondIsReceived, resolve: onSecondReceived } = Promise.withResolvers<void>()
    const { promise: firstIsAnswered, resolve: onFirstAnswered } = Promise.withResolvers<void>()
    const [first, second] = [Buffer.from('the first'), Buffer.from('the second')]
    beforePut = (body) => (body.equals(first) ? secondIsReceived : firstIsAnswered)
    const firstUpload = put(first)
    await eventually(async () => assert.equal(partials().length, 1))
    const secondUpload = put(second)
    await eventually(async () => assert.equal(partials().length, 2))
    onSecondReceived()
    const answer = await firstUpload
    onFirstAnswered()
    const statuses = [answer.status, (await secondUpload).status]
    beforePut = async () => {}
    assert.deepEqual(statuses, [200, 403])
    assert.equal((await workspace.call(get, { fileKey })).text, 'the first')
    assert.deepEqual(partials(), [])
  })

  it('are not larger than the limit', async () => {
    const { answer } = await upload(await newWorkspace(), Buffer.alloc(bytesMax + 1))
    assert.equal(answer.status, 413)
    assert.deepEqual(partials(), [])
  })

  it('wait for an unavailable bucket: an upload, a read and a deletion can be repeated', async () => {
    const workspace = await newWorkspace()
    const { fileKey } = await upload(workspace)
    isAway = true
    const { put, answer } = await upload(workspace)
    assert.deepEqual([answer.status, errorOf(answer)], [503, 'The file bucket responded with 503.'])
    assert.equal((await workspace.call(get, { fileKey })).status, 503)
    assert.equal((await workspace.call(remove, { fileKey })).status, 503)
    isAway = false
    assert.equal((await put()).status, 200)
    assert.deepEqual((await workspace.call(get, { fileKey })).bytes, bytes)
    await workspace.ok(remove, { fileKey })
    assert.deepEqual(partials(), [])
  })

  it('are requested only under file keys (C1)', async () => {
    const parts = { url, region: 'eu', accessKeyId: 'a', secretAccessKey: 'b', prefix: 'one' }
    const store = makeBucketFiles({ ...parts, folder: dataFolder })
    const key = newFileKey(new Date())
    assert.equal(await store.read(key), undefined)
    for (const text of ['../../control.db', '..%2Fone', '', `${key}/../other`, `${key}\n`, key.toUpperCase()])
      await assert.rejects(store.read(text as FileKey), /file key/, text)
  })
})
