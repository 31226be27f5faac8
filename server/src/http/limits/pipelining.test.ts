import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { answerInOrder } from './pipelining.ts'

const started: ServerResponse[] = []
let onStart = (): void => {}
const server = createServer((request, response) => {
  started.push(response)
  response.setHeader('x-path', request.url ?? '')
  onStart()
})
answerInOrder(server)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

const requests = (count: number): string =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

/** Opens a connection and sends this many requests at once. */
function send(count: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => {})
  socket.write(requests(count))
  return { socket, read: () => text }
}

const nextStart = (): Promise<void> =>
  new Promise((resolve) => {
    onStart = resolve
  })

describe('pipelined requests', () => {
  it('start one after the other, and are all answered in order', async () => {
    started.length = 0
    let start = nextStart()
    const { socket, read } = send(3)
    for (let index = 0; index < 3; index++) {
      await start
      assert.equal(started.length, index + 1)
      start = nextStart()
      started[index]!.end(`body ${index}`)
    }
    while (!read().includes('body 2')) await once(socket, 'data')
    assert.deepEqual(read().match(/x-path: \/\d/g), ['x-path: /0', 'x-path: /1', 'x-path: /2'])
    socket.destroy()
  })

  it('end their connection if hundreds are waiting', async () => {
    started.length = 0
    const { socket } = send(200)
    await once(socket, 'close')
    assert.equal(started.length, 1)
  })

  it('never start once their client is gone', async () => {
    started.length = 0
    const start = nextStart()
    const { socket } = send(3)
    await start
    const [response] = started
    const closed = once(response!, 'close')
    socket.destroy()
    await closed
    response!.end()
    assert.equal(started.length, 1)
  })
})
