import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import Fastify from 'fastify'
import { sendStream } from './send-stream.ts'

it('a source that fails midway cuts the connection and is logged; before its first byte it is a failed request (C2)', async (t) => {
  const logged: unknown[] = []
  const server = Fastify()
  t.after(() => server.close())
  for (const [path, pieces] of Object.entries({ '/early': 0, '/late': 1000 }))
    server.get(path, (_request, reply) =>
      sendStream(reply.type('text/plain'), Readable.from(failAfter(pieces), { objectMode: false }), {
        error: (fields: unknown) => void logged.push(fields),
      }),
    )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  assert.equal((await fetch(`${url}/early`)).status, 500)
  assert.equal(logged.length, 0)
  const late = await fetch(`${url}/late`)
  assert.equal(late.status, 200)
  await assert.rejects(late.text())
  assert.equal(logged.length, 1)
  assert.match(String((logged[0] as { err: Error }).err), /the source broke/)
  assert.equal((await fetch(`${url}/early`)).status, 500)
})

async function* failAfter(pieces: number): AsyncGenerator<string> {
  for (let index = 0; index < pieces; index++) yield 'x'.repeat(1000)
  throw new Error('the source broke')
}
