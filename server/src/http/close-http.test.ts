import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { closeHttp } from './serving-http.ts'

test('a server closes even if a client sends an endless body', async () => {
  const server = Fastify({ forceCloseConnections: 'idle' })
  server.post('/', async () => 'taken')
  const url = new URL(await server.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  const arrived = once(server.server, 'request')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nb')
  await arrived
  const closed = once(socket, 'close')
  await closeHttp(server, 50)
  await closed
  assert.ok(!server.server.listening)
})
