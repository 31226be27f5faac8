import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { blockedPorts } from './blocked-ports.ts'
import { makeGuardedFetch, refusalOf, responseBytesMax } from './guarded-fetch.ts'
import { readHostList } from './host-policy.ts'

/** 40 KB that decompress to 40 MB. */
const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024))
let requestCount = 0
const server = createServer((request, response) => {
  requestCount += 1
  if (request.url === '/away') response.writeHead(302, { location: '/here' }).end()
  else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  else if (request.url === '/odd')
    response.socket?.end('HTTP/1.1 999 caf\xe9\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nwhy?', 'latin1')
  else response.end('here')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const port = (server.address() as AddressInfo).port
const [guarded, open] = [
  makeGuardedFetch({ hosts: undefined, allowsPrivate: false }),
  makeGuardedFetch({ hosts: undefined, allowsPrivate: true }),
]
after(async () => {
  await Promise.all([guarded.close(), open.close()])
  server.close()
})

describe('a guarded request', () => {
  it('does not reach this machine, neither by its address nor by a name that resolves to it', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433'])
      await assert.rejects(guarded.fetch(`https://${host}:${port}/`), host)
    assert.equal(requestCount, 0)
  })

  it('reaches it if the operator allows it, and does not follow redirects', async () => {
    assert.equal(await (await open.fetch(`http://localhost:${port}/here`)).text(), 'here')
    await assert.rejects(open.fetch(`http://127.0.0.1:${port}/away`))
    assert.equal(requestCount, 2)
  })

  it('fails if the response is too large after decompression', async () => {
    const response = await open.fetch(`http://127.0.0.1:${port}/bomb`)
    assert.equal(response.status, 200)
    let bytes = 0
    const read = async () => {
      for await (const chunk of response.body!) bytes += chunk.length
    }
    await assert.rejects(read, { name: 'ResponseTooLarge', message: /more than 33554432 bytes/ })
    assert.ok(bytes <= responseBytesMax)
  })

  it("returns the response's status and reason, whatever they are", async () => {
    const response = await open.fetch(`http://127.0.0.1:${port}/odd`)
    const { status, ok, headers } = response
    assert.deepEqual([status, ok, headers.get('retry-after')], [999, false, '7'])
    assert.match(response.statusText, /^caf/)
    assert.equal(await response.text(), 'why?')
  })

  it('is refused once the service stops, whether or not it was used before', async () => {
    const before = requestCount
    for (const callsBefore of [0, 1]) {
      const client = makeGuardedFetch({ hosts: undefined, allowsPrivate: true })
      for (let call = 0; call < callsBefore; call++)
        assert.equal((await client.fetch(`http://localhost:${port}/`)).status, 200)
      await client.close()
      await assert.rejects(client.fetch(`http://localhost:${port}/`), /stopping/)
    }
    assert.equal(requestCount, before + 1)
  })
})

describe('the URL of a connection', () => {
  it('is refused for a blocked port, even if the operator names the host', () => {
    const { badPorts } = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js')
    assert.deepEqual([...blockedPorts], badPorts)
    const policy = { hosts: readHostList('mail.internal:25, models.internal'), allowsPrivate: false }
    assert.match(String(refusalOf('http://mail.internal:25/', policy)), /^must not use the port 25, /)
    for (const port of ['', ':80', ':443', ':8025'])
      assert.equal(refusalOf(`http://models.internal${port}/`, policy), undefined, port)
  })

  it('is refused if it is invalid or not allowed', () => {
    for (const address of [
      'x',
      'http://api.example.com',
      'ftp://a',
      'https://u:p@a.com',
      'https://10.0.0.1/v1',
    ])
      assert.notEqual(refusalOf(address, { hosts: undefined, allowsPrivate: false }), undefined, address)
    assert.equal(
      refusalOf('https://api.example.com/v1', { hosts: undefined, allowsPrivate: false }),
      undefined,
    )
    assert.equal(refusalOf('http://10.0.0.1:8000/v1', { hosts: undefined, allowsPrivate: true }), undefined)
  })
})
