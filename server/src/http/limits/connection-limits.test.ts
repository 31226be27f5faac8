/** M4: what a slow or greedy client may keep open. */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { limitConnections, timeLimits } from './connection-limits.ts'

const sockets: Socket[] = []
after(() => {
  for (const socket of sockets) socket.destroy()
})

/** Opens a connection; resolves with everything received until it ended. */
function open(
  port: number,
  text = '',
): { socket: Socket; closure: Promise<string>; receivedText: () => string } {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  socket.on('error', () => {})
  socket.write(text)
  return {
    socket,
    receivedText: () => received,
    closure: new Promise((callback) => socket.once('close', () => callback(received))),
  }
}

const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n'

describe('a body that stalls (M4)', async () => {
  let nowMs = 0
  let requests = 0
  let received = 0
  const server = createServer((request, response) => {
    requests += 1
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    request.on('end', () => response.end('whole'))
  })
  const { sweep } = limitConnections(server, {
    connectionsMax: 3,
    logger: pino({ level: 'silent' }),
    clock: () => nowMs,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  after(() => server.close())

  it('is ended after half a minute without a byte, with a sentence, unless it makes progress', async () => {
    const [stalled, slow] = [open(port, post), open(port, post)]
    await eventually(async () => assert.equal(requests, 2))
    // The server starts to watch in the event loop turn after the request.
    await new Promise(setImmediate)
    nowMs += 29_000
    slow.socket.write('x'.repeat(10))
    await eventually(async () => assert.equal(received, 10))
    sweep()
    nowMs += 2_000
    sweep()
    assert.match(await stalled.closure, /^HTTP\/1\.1 408 .*"The request did not arrive in time\."\}$/s)
    slow.socket.write('x'.repeat(90))
    await eventually(async () => assert.match(slow.receivedText(), /whole/))
    slow.socket.destroy()
  })

  it('is refused if too many connections are open', async () => {
    const three = [open(port), open(port), open(port)]
    await eventually(async () =>
      assert.equal(await new Promise((callback) => server.getConnections((_e, n) => callback(n))), 3),
    )
    assert.equal(await open(port, post).closure, '')
    for (const { socket } of three) socket.destroy()
  })
})

describe('a request that is answered before its body has arrived (M4)', () => {
  it('leaves the connection to the next request', async () => {
    const server = createServer((request, response) => {
      // The first chunk is enough to refuse it.
      if (request.method !== 'POST') return void response.end('next')
      // Like an iterator that is left while it waits for the next chunk.
      const readResponse = (): void => {
        if (response.writableEnded) return
        request.read(1)
        response.end('no')
        response.once('finish', () => setImmediate(() => request.off('readable', readResponse)))
      }
      request.on('readable', readResponse)
    })
    limitConnections(server, { connectionsMax: 9, logger: pino({ level: 'silent' }) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const bodyBytes = 8_000_000
    const header = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bodyBytes}\r\n\r\n`
    const { socket, receivedText } = open((server.address() as AddressInfo).port, header)
    after(() => server.close())
    socket.write('x'.repeat(bodyBytes / 2))
    await eventually(async () => assert.match(receivedText(), /\r\n\r\nno$/))
    socket.write('x'.repeat(bodyBytes / 2))
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await eventually(async () => assert.match(receivedText(), /\r\n\r\nno.*200 OK.*\r\n\r\nnext$/s))
    socket.destroy()
  })
})

describe('the service (M4)', () => {
  it('uses the configured limits', async () => {
    const { app } = await startTestApp({ settings: { PLUMBLINE_CONNECTIONS_MAX: '77' } })
    const { server } = app.server
    assert.deepEqual([server.maxConnections, server.headersTimeout], [77, timeLimits.headersTimeout])
  })
})
