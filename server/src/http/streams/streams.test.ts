/** C2: a failing request stream ends that request, and never the process. Uses real sockets. */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import { compressors, sendBroken, statusOf } from '../../../testing/broken-connections.ts'
import { startStreamingService } from '../../../testing/streaming-service.ts'

const { address, workspace, port, senders, readers, checkItAnswers } = await startStreamingService()

describe('a broken body (C2)', () => {
  for (const [encoding, compress] of Object.entries(compressors)) {
    for (const route of senders.filter(({ method }) => method === 'POST')) {
      it(`400: ${route.url} (${route.headers['content-type']}) with truncated ${encoding}`, async () => {
        const whole = compress(route.body)
        for (const length of [whole.length - 4, whole.length - 1, Math.floor(whole.length / 2), 3]) {
          const body = whole.subarray(0, length)
          const headers = { ...route.headers, 'content-encoding': encoding }
          const response = await sendBroken(port, { ...route, headers, body, outcome: 'wait' })
          assert.equal(statusOf(response), 400, response)
          if (route.headers['content-type'] !== 'application/gzip')
            assert.match(response, new RegExp(`The body is not valid ${encoding} data`))
        }
        await checkItAnswers()
      })
    }
  }

  it('400: an import of a truncated gzip file, and of a file that is not gzip', async () => {
    const route = senders[1]!
    const whole = gzipSync(route.body)
    for (const body of [whole.subarray(0, -4), route.body, Buffer.alloc(0)]) {
      const response = await sendBroken(port, { ...route, body, outcome: 'wait' })
      assert.equal(statusOf(response), 400, response)
    }
    await checkItAnswers()
  })

  for (const outcome of ['finish', 'reset', 'stall'] as const) {
    it(`does not end the process if the client lets it ${outcome}, plain or compressed`, async () => {
      const released = Promise.withResolvers<void>()
      const responses = senders.flatMap((route) =>
        [undefined, ...Object.keys(compressors)].map((encoding) => {
          const whole = encoding === undefined ? route.body : compressors[encoding]!(route.body)
          const headers =
            encoding === undefined ? route.headers : { ...route.headers, 'content-encoding': encoding }
          const body = whole.subarray(0, Math.ceil(whole.length / 2))
          return sendBroken(port, {
            ...route,
            headers,
            body,
            contentLength: whole.length,
            outcome,
            until: released.promise,
          })
        }),
      )
      // While the connections are open, and after they are gone.
      await checkItAnswers()
      released.resolve()
      for (const response of await Promise.all(responses)) assert.ok(statusOf(response) < 500, response)
      await checkItAnswers()
    })
  }

  it('400: an import whose rest is never read gets the reason, compressed or not', async () => {
    const [route] = senders
    const wrong = Buffer.concat([Buffer.from('{"type":"row"}\n'), Buffer.alloc(4_000_000, '{"x":1}\n')])
    for (const encoding of [undefined, ...Object.keys(compressors)]) {
      const body = encoding === undefined ? wrong : compressors[encoding]!(wrong)
      const headers =
        encoding === undefined ? route!.headers : { ...route!.headers, 'content-encoding': encoding }
      const response = await sendBroken(port, { ...route!, headers, body, outcome: 'wait' })
      assert.equal(statusOf(response), 400, response)
      assert.match(response, /line 1: must be the header of a bundle/)
    }
    await checkItAnswers()
  })

  it('200: an upload that was interrupted, or is still open, can be sent again to the same URL (L7)', async () => {
    const signed = { fileName: 'a.png', contentType: 'image/png' }
    const { uploadUrl, fileKey } = await workspace.ok(operations.files.sign, signed)
    const { pathname, search } = new URL(uploadUrl)
    const route = { ...senders.at(-1)!, url: pathname + search }
    const half = { ...route, body: route.body.subarray(0, 9000), contentLength: route.body.length }
    await sendBroken(port, { ...half, outcome: 'reset' })
    const released = Promise.withResolvers<void>()
    const stalled = sendBroken(port, { ...half, outcome: 'stall', until: released.promise })
    const { headers, body } = route
    const again = await fetch(address + route.url, { method: 'PUT', headers, body: new Uint8Array(body) })
    assert.equal(again.status, 200)
    released.resolve()
    await stalled
    assert.deepEqual((await workspace.call(operations.files.get, { fileKey })).bytes, body)
    await checkItAnswers()
  })

  it('413: an upload that is too large gets the reason, though its rest is not read', async () => {
    const route = senders.at(-1)!
    const headers = { ...route.headers, 'transfer-encoding': 'chunked', 'content-length': '' }
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 1), Buffer.from('\r\n')])
    const body = Buffer.concat([...Array.from({ length: 12 }, () => chunk), Buffer.from('0\r\n\r\n')])
    const response = await sendBroken(port, { ...route, headers, body, outcome: 'wait' })
    assert.equal(statusOf(response), 413, response)
    await checkItAnswers()
  })

  it('a body that is refused before its end leaves the connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const [importing] = senders
    const wrong = Buffer.concat([Buffer.from('{"type":"row"}\n'), Buffer.alloc(12_000_000, '{"x":1}\n')])
    const uploading = senders.at(-1)!
    for (const [route, body, status] of [
      [importing!, wrong, 400],
      [uploading, Buffer.alloc(12_000_000, 1), 413],
    ] as const) {
      const headers = { ...route.headers, 'transfer-encoding': 'chunked' }
      assert.equal(await statusThrough(agent, { ...route, headers, body }), status)
      assert.equal(await statusThrough(agent, { method: 'GET', url: '/healthz', headers: {} }), 200)
    }
    agent.destroy()
  })
})

interface AgentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

function statusThrough(
  agent: Agent,
  { method, url, headers, body }: AgentRequest,
): Promise<number | undefined> {
  const status = Promise.withResolvers<number | undefined>()
  const message = request(`${address}${url}`, { agent, method, headers }, (response) => {
    response.resume().once('end', () => status.resolve(response.statusCode))
  })
  message.once('error', status.reject)
  message.end(body)
  return status.promise
}

describe('a response that is not read to its end (C2)', () => {
  for (const route of readers) {
    it(`${route.method} ${route.url.replace(/[0-9a-f-]{36}/, '{fileKey}')} is cut off, with no other effect`, async () => {
      for (const readBytesMax of [1, 200, 40_000]) {
        const response = await sendBroken(port, { ...route, outcome: 'wait', readBytesMax })
        // While another backup is still being downloaded, the response is 503.
        assert.ok([200, 503].includes(statusOf(response)), response.slice(0, 500))
      }
      await checkItAnswers()
    })
  }

  for (const route of readers.slice(0, 2))
    it(`200: ${route.url} is sent completely to a client that reads on`, async () => {
      const response = await fetch(`${address}${route.url}`, { headers: route.headers })
      assert.equal(response.status, 200)
      assert.match(await response.text(), /2 299 As long as such questions are/)
    })
})
