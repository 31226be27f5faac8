// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { allOperations, operations, takesJson } from '@plumbline/contract'
import Fastify from 'fastify'
import { compressors } from '../../testing/broken-connections.ts'
import { admit, recordTrace, startTestApp } from '../../testing/test-app.ts'
import { makeLargeBodies } from '../requests/large-bodies.ts'
import { type Body, takeJsonBodies } from './bodies.ts'

const { monitor, traces } = operations
const { app, newWorkspace } = await startTestApp()

const bytesMax = 16_777_216
const withBody = allOperations.filter(takesJson)

describe('every operation that has a body', () => {
  for (const operation of withBody) {
    it(`400: ${operation.name} with a body that is not JSON`, async () => {
      const workspace = await newWorkspace()
      for (const payload of ['{"a', '{a:1}', 'text', '{"a":1}}', '\u{fe}'])
        assert.match(
          await workspace.refused(operation, {}, 400, { ...(await admit(workspace, operation)), payload }),
          /^The body is not valid JSON: /,
        )
    })

    it(`413: ${operation.name} with a body over the limit`, async () => {
      const headers = { 'content-length': String(bytesMax + 1) }
      const workspace = await newWorkspace()
      const caller = await admit(workspace, operation)
      const options = { ...caller, payload: '{}', headers: { ...caller.headers, ...headers } }
      const error = await workspace.refused(operation, {}, 413, options)
      assert.equal(error, `The body is larger than ${bytesMax} bytes (after decompression).`)
    })

    it(`415: ${operation.name} with a body of another type`, async () => {
      const workspace = await newWorkspace()
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/xml',
        'application/jsonp',
      ]) {
        const caller = await admit(workspace, operation)
        const options = { ...caller, payload: '{}', headers: { ...caller.headers, 'content-type': type } }
        assert.equal(
          await workspace.refused(operation, {}, 415, options),
          `The body must be application/json, not ${type}.`,
        )
      }
    })
  }
})

describe('a body', () => {
  /** JSON of this length, most of it spaces. */
  const padBody = (length: number): Buffer => Buffer.from(`${'{"name":"é ✓"'.padEnd(length - 4)}}`)
  const bodyOf = (length: number): Buffer => {
    const [head, tail] = ['{"input":"', '"}']
    return Buffer.from(head + 'x'.repeat(length - head.length - tail.length) + tail)
  }

  it('of exactly 16,777,216 bytes is accepted, and one byte more is 413 and stores nothing', async () => {
    const workspace = await newWorkspace()
    const accepted = await workspace.ok(monitor.trace, {}, { payload: bodyOf(bytesMax) })
    const { trace } = await workspace.ok(traces.get, { id: accepted.trace.id })
    assert.equal((trace.input as string).length, bytesMax - 12)
    await workspace.refused(monitor.trace, {}, 413, { payload: bodyOf(bytesMax + 1) })
    await app.flush()
    assert.equal((await workspace.ok(traces.list)).traces.length, 1)
  })

  for (const [encoding, compress] of Object.entries(compressors)) {
    it(`is accepted with ${encoding} compression, up to the limit after decompression`, async () => {
      const workspace = await newWorkspace()
      const headers = { 'content-encoding': encoding }
      const send = (plain: Buffer) => workspace.call(monitor.trace, {}, { payload: compress(plain), headers })
      const answer = await send(Buffer.from('{"name":"é ✓"}'))
      assert.equal(answer.status, 200)
      const { id } = (JSON.parse(answer.text) as { trace: { id: string } }).trace
      assert.equal((await workspace.ok(traces.get, { id })).trace.name, 'é ✓')
      assert.equal((await send(padBody(bytesMax))).status, 200)
      assert.equal((await send(padBody(bytesMax + 1))).status, 413)
    })

    it(`is 400 if it is not valid ${encoding}`, async () => {
      const options = { payload: '{"name":"plain"}', headers: { 'content-encoding': encoding } }
      const error = await (await newWorkspace()).refused(monitor.trace, {}, 400, options)
      assert.equal(error, `The body is not valid ${encoding} data, although Content-Encoding says it is.`)
    })
  }

  it('is read completely if zstd has several frames, as parallel compressors write them', async () => {
    const workspace = await newWorkspace()
    const headers = { 'content-encoding': 'zstd' }
    const framesOf = (...texts: string[]) => Buffer.concat(texts.map((text) => zstdCompressSync(text)))
    const skippable = Buffer.from('502a4d180300000061626300', 'hex').subarray(0, 11)
    const payload = Buffer.concat([skippable, framesOf('{"name":', '', '"two frames"}')])
    const { trace } = await workspace.ok(monitor.trace, {}, { payload, headers })
    assert.equal((await workspace.ok(traces.get, { id: trace.id })).trace.name, 'two frames')
    const cut = framesOf('{"name":"cut"}', ' ').subarray(0, -2)
    for (const bad of [cut, Buffer.concat([framesOf('{}'), Buffer.from('rest')])])
      assert.match(
        await workspace.refused(monitor.trace, {}, 400, { payload: bad, headers }),
        /not valid zstd data/,
      )
    const large = framesOf(`{"name":"${'x'.repeat(bytesMax / 2)}`, `${'x'.repeat(bytesMax / 2)}"}`)
    await workspace.refused(monitor.trace, {}, 413, { payload: large, headers })
  })

  it('is 415 with more nested encodings than any client sends', async () => {
    const workspace = await newWorkspace()
    const send = (count: number) => {
      let payload = Buffer.from('{}')
      for (let index = 0; index < count; index++) payload = gzipSync(payload)
      const headers = { 'content-encoding': Array(count).fill('gzip').join(', ') }
      return workspace.call(monitor.trace, {}, { payload, headers })
    }
    assert.deepEqual([(await send(3)).status, (await send(4)).status], [200, 415])
  })

  it('is 415 without a valid type', async () => {
    const workspace = await newWorkspace()
    for (const type of ['nonsense', '']) {
      const options = { payload: '{}', headers: { 'content-type': type } }
      assert.match(await workspace.refused(monitor.trace, {}, 415, options), /not one without a/)
    }
  })

  it('is 415 in an unknown encoding', async () => {
    const options = { payload: '{}', headers: { 'content-encoding': 'lz4' } }
    assert.match(
      await (await newWorkspace()).refused(monitor.trace, {}, 415, options),
      /lz4 is not supported/,
    )
  })

  it('is accepted with a charset, as a +json type, and with a byte order mark', async () => {
    const workspace = await newWorkspace()
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/ld+json'])
      await workspace.ok(monitor.trace, {}, { payload: '{}', headers: { 'content-type': type } })
    await workspace.ok(monitor.trace, {}, { payload: '\ufeff{}' })
  })

  it('is 400 if it is not an object, is absent, or is not UTF-8', async () => {
    const workspace = await newWorkspace()
    for (const payload of ['[]', '"x"', '7', 'null', 'true', ''])
      assert.match(await workspace.refused(monitor.trace, {}, 400, { payload }), /^body: must be an object$/)
    const latin = Buffer.from('{"name":"é"}', 'latin1')
    assert.match(await workspace.refused(monitor.trace, {}, 400, { payload: latin }), /it is not UTF-8/)
  })

  it('is 400 if it nests too deep to store or has a number beyond double precision, and names the path', async () => {
    const workspace = await newWorkspace()
    const nestedBody = (levels: number) => `{"input":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    await workspace.ok(monitor.trace, {}, { payload: nestedBody(1000) })
    assert.match(
      await workspace.refused(monitor.trace, {}, 400, { payload: nestedBody(1001) }),
      /nest deeper/,
    )
    assert.match(
      await workspace.refused(monitor.trace, {}, 400, { payload: nestedBody(100_000) }),
      /nest deeper/,
    )
    const payload = '{"metadata":{"a":[1,1e400]}}'
    assert.match(
      await workspace.refused(monitor.trace, {}, 400, { payload }),
      /^metadata\.a\[1\]: must be a number/,
    )
  })

  it('is never quoted when it is refused', async () => {
    const payload = '{"secret":"hunter2",}'
    assert.ok(
      !(await (await newWorkspace()).refused(monitor.trace, {}, 400, { payload })).includes('hunter2'),
    )
  })

  it('keeps a key named error, and a lone surrogate, which may be returned as U+FFFD', async () => {
    const workspace = await newWorkspace()
    const payload = '{"name":"a\\ud800b","input":{"lone":"\\udc00","error":"mine"}}'
    const { trace: createdTrace } = await workspace.ok(monitor.trace, {}, { payload })
    await app.flush()
    const { trace } = await workspace.ok(traces.get, { id: createdTrace.id })
    assert.equal(trace.name, 'a\ufffdb')
    const { lone, error } = trace.input as { lone: string; error: string }
    assert.ok(['\udc00', '\ufffd'].includes(lone))
    assert.equal(error, 'mine')
  })

  it('with a key named __proto__ changes nothing but its own value', async () => {
    const payload = '{"metadata":{"__proto__":{"polluted":true}}}'
    const workspace = await newWorkspace()
    const { trace: createdTrace } = await workspace.ok(monitor.trace, {}, { payload })
    const read = await workspace.call(traces.get, { id: createdTrace.id })
    assert.ok(read.text.includes('"metadata":{"__proto__":{"polluted":true}}'))
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    assert.equal((await recordTrace(workspace)).trace.metadata, null)
  })
})

test('does not wait for the request that it belongs to when it is passed on inside the service', async (t) => {
  const server = Fastify()
  t.after(() => server.close())
  takeJsonBodies(server, makeLargeBodies(10))
  server.post('/inner', async (request) => (request.body as Body).bytes.length)
  server.post('/outer', async (request) => {
    const { json } = request.body as Body
    return (await server.inject({ method: 'POST', url: '/inner', payload: json as object })).payload
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const body = JSON.stringify({ input: 'x'.repeat(2 * 1024 * 1024) })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/outer`, { method: 'POST', headers, body })
  assert.equal(await response.text(), String(body.length))
})
