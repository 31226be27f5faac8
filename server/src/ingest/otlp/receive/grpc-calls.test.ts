/** Well-formed calls are made by the client of @grpc/grpc-js, others by `node:http2`, compared with the grpc-js server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { after, test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import {
  Client,
  compressionAlgorithms,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import fc from 'fast-check'
import { pino } from 'pino'
import { makeLargeBodies } from '../../../requests/large-bodies.ts'
import { type CallServer, type Method, serveCalls } from './grpc-calls.ts'
import type { GrpcLimits } from './grpc-limits.ts'
import { StatusError } from './grpc-status.ts'

const messageBytesMax = 4 * 1024 * 1024
const path = '/test.Echo/Call'
const failingPath = '/test.Echo/Fail'
const brokenPath = '/test.Echo/Break'
const closedPath = '/test.Echo/Refuse'
const pendingPath = '/test.Echo/Wait'
/** The pending calls of `pendingPath`. */
let resolvers: (() => void)[] = []
let onPending = (): void => {}

const methods = new Map<string, Method>([
  [path, async () => async (message) => message],
  [
    failingPath,
    async () => async (message) => {
      throw new StatusError(status.INVALID_ARGUMENT, message.toString('utf16le'))
    },
  ],
  [
    brokenPath,
    async () => async () => {
      throw new Error('secret')
    },
  ],
  [
    closedPath,
    async () => {
      throw new StatusError(status.UNAUTHENTICATED, 'no key')
    },
  ],
  [
    pendingPath,
    async () => (message) =>
      new Promise((resolve) => {
        resolvers.push(() => resolve(message))
        onPending()
      }),
  ],
])
const logger = pino({ level: 'silent' })
const largeBodies = makeLargeBodies()
const serve = (closeTimeoutMs = 10_000, limits: Partial<GrpcLimits> = {}): Promise<CallServer> =>
  serveCalls({
    methods,
    messageBytesMax,
    largeBodies,
    host: '127.0.0.1',
    port: 0,
    connectionsMax: 1000,
    closeTimeoutMs,
    logger,
    ...limits,
  })

// Other test files of this process may run before its first call.
const server = await serve(10_000, { firstCallMs: 3_600_000, idleMs: 3_600_000 })
const session = connect(`http://127.0.0.1:${server.port}`)
const clientOf = (options = {}): Client =>
  new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
    ...options,
  })
const client = clientOf()
after(async () => {
  client.close()
  session.destroy()
  await server.close()
})

const sameBytes = (bytes: Buffer): Buffer => bytes

/** Resolves with the response or with the error. */
const callWith = (
  caller: Client,
  message: Buffer,
  options: { readonly path?: string; readonly deadline?: number } = {},
): Promise<Buffer | ServiceError> =>
  new Promise((resolve) => {
    caller.makeUnaryRequest(
      options.path ?? path,
      sameBytes,
      sameBytes,
      message,
      new Metadata(),
      options.deadline === undefined ? {} : { deadline: options.deadline },
      (error, response) => resolve(error ?? response ?? Buffer.alloc(0)),
    )
  })

async function failureOf(response: Promise<Buffer | ServiceError>): Promise<ServiceError> {
  const failure = await response
  assert.ok(!Buffer.isBuffer(failure), 'the call succeeded')
  return failure
}

const waitForPending = (count: number): Promise<void> =>
  new Promise((resolve) => {
    onPending = () => {
      if (resolvers.length >= count) resolve()
    }
    onPending()
  })

function resolvePending(): void {
  for (const resolve of resolvers) resolve()
  resolvers = []
}

const frameOf = (message: Buffer | string, flag = 0): Buffer => {
  const bytes = Buffer.from(message)
  const prefix = Buffer.from([flag, 0, 0, 0, 0])
  prefix.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([prefix, bytes])
}

interface RawResponse {
  readonly httpStatus: number | undefined
  readonly grpcStatus: number | undefined
  readonly isTrailersOnly: boolean
  readonly resetCode: number
  readonly body: Buffer
}

/** A call over raw HTTP/2; `isOpen` leaves the request unfinished. */
function callRaw(
  connection: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  chunks: readonly Buffer[],
  { isOpen = false } = {},
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const stream = connection.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    let head: { readonly [name: string]: unknown } = {}
    let trailers: typeof head = {}
    const parts: Buffer[] = []
    stream.on('response', (headers) => (head = headers))
    stream.on('trailers', (headers) => {
      trailers = headers
    })
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('error', () => {})
    stream.on('end', () => {
      // If the server is going to close the stream itself, it has done so by the response to the ping.
      if (isOpen) connection.ping(() => stream.close(constants.NGHTTP2_CANCEL))
    })
    stream.on('close', () => {
      const isTrailersOnly = head['grpc-status'] !== undefined
      const grpcStatus = isTrailersOnly ? head['grpc-status'] : trailers['grpc-status']
      resolve({
        httpStatus: head[':status'] as number | undefined,
        grpcStatus: grpcStatus === undefined ? undefined : Number(grpcStatus),
        isTrailersOnly,
        resetCode: stream.rstCode ?? 0,
        body: Buffer.concat(parts),
      })
    })
    for (const chunk of chunks) stream.write(chunk)
    if (!isOpen) stream.end()
  })
}

const bytesOf = (length: number): Buffer => Buffer.alloc(length, 'plumb line ')

test('echoes messages of any size, many at once and in many DATA frames', async () => {
  const sizes = [0, 1, 5, 16_379, 16_384, 65_535, 65_536, 65_537, 1_000_000, messageBytesMax]
  const responses = await Promise.all(sizes.map((size) => callWith(client, bytesOf(size))))
  for (const [index, size] of sizes.entries()) assert.deepEqual(responses[index], bytesOf(size))
})

test('gzip and deflate are accepted', async () => {
  for (const algorithm of [compressionAlgorithms.gzip, compressionAlgorithms.deflate]) {
    const compressing = clientOf({ 'grpc.default_compression_algorithm': algorithm })
    assert.deepEqual(await callWith(compressing, bytesOf(300_000)), bytesOf(300_000))
    assert.deepEqual(await callWith(compressing, Buffer.alloc(0)), Buffer.alloc(0))
    compressing.close()
  }
})

test('zstd, which collectors send, is accepted', async () => {
  const compressed = frameOf(zstdCompressSync(Buffer.alloc(messageBytesMax)), 1)
  assert.equal((await callRaw(session, { 'grpc-encoding': 'zstd' }, [compressed])).grpcStatus, status.OK)
  const bomb = frameOf(zstdCompressSync(Buffer.alloc(messageBytesMax + 1)), 1)
  const exploded = await callRaw(session, { 'grpc-encoding': 'zstd' }, [bomb])
  assert.equal(exploded.grpcStatus, status.RESOURCE_EXHAUSTED)
  const twoFrames = frameOf(Buffer.concat([zstdCompressSync('two '), zstdCompressSync('frames')]), 1)
  const { body } = await callRaw(session, { 'grpc-encoding': 'zstd' }, [twoFrames])
  assert.deepEqual(body, frameOf('two frames'))
  const broken = await callRaw(session, { 'grpc-encoding': 'zstd' }, [frameOf('a', 1)])
  assert.equal(broken.grpcStatus, status.INTERNAL)
})

test('a status other than OK keeps its message, with any characters', async () => {
  for (const text of ['plain', 'été 今 🙂', '100 % of\r\nit', '%41', ''])
    assert.deepEqual(
      await failureOf(callWith(client, Buffer.from(text, 'utf16le'), { path: failingPath })).then(
        ({ code, details }) => [code, details],
      ),
      [status.INVALID_ARGUMENT, text],
    )
  const half = Buffer.from('a\ud800b', 'utf16le')
  const { details } = await failureOf(callWith(client, half, { path: failingPath }))
  assert.equal(details, 'a\ufffdb')
})

test('an unexpected error reveals nothing to the client', async () => {
  const { code, details } = await failureOf(callWith(client, Buffer.alloc(0), { path: brokenPath }))
  assert.equal(code, status.UNKNOWN)
  assert.doesNotMatch(details, /secret/)
})

test('a message that is too large is RESOURCE_EXHAUSTED before it has arrived, or when it is decompressed', async () => {
  const { code } = await failureOf(callWith(client, bytesOf(messageBytesMax + 1)))
  assert.equal(code, status.RESOURCE_EXHAUSTED)
  const claimed = Buffer.from([0, 0xff, 0xff, 0xff, 0xff])
  const early = await callRaw(session, {}, [claimed], { isOpen: true })
  assert.equal(early.grpcStatus, status.RESOURCE_EXHAUSTED)
  assert.equal(early.resetCode, constants.NGHTTP2_NO_ERROR)
  const bomb = frameOf(gzipSync(Buffer.alloc(messageBytesMax + 1)), 1)
  const exploded = await callRaw(session, { 'grpc-encoding': 'gzip' }, [bomb])
  assert.equal(exploded.grpcStatus, status.RESOURCE_EXHAUSTED)
  const whole = frameOf(gzipSync(Buffer.alloc(messageBytesMax)), 1)
  assert.equal((await callRaw(session, { 'grpc-encoding': 'gzip' }, [whole])).grpcStatus, status.OK)
})

const malformed: Readonly<
  Record<
    string,
    {
      readonly headers?: OutgoingHttpHeaders
      readonly chunks?: readonly Buffer[]
      readonly code?: number
      readonly httpStatus?: number
    }
  >
> = {
  'no message': { chunks: [], code: status.UNIMPLEMENTED },
  'a part of the prefix': { chunks: [frameOf('a').subarray(0, 3)], code: status.UNIMPLEMENTED },
  'a part of the message': { chunks: [frameOf('abc').subarray(0, 6)], code: status.UNIMPLEMENTED },
  'two messages': { chunks: [frameOf('a'), frameOf('b')], code: status.UNIMPLEMENTED },
  'an unknown encoding': {
    headers: { 'grpc-encoding': 'br' },
    chunks: [frameOf('a', 1)],
    code: status.UNIMPLEMENTED,
  },
  'an unknown encoding that is not used': { headers: { 'grpc-encoding': 'br' }, code: status.OK },
  'a compressed message without an encoding': { chunks: [frameOf('a', 1)], code: status.OK },
  'a message that is not gzip': {
    headers: { 'grpc-encoding': 'gzip' },
    chunks: [frameOf('a', 1)],
    code: status.INTERNAL,
  },
  'half of a gzip message': {
    headers: { 'grpc-encoding': 'gzip' },
    chunks: [frameOf(gzipSync('abcdefgh').subarray(0, 15), 1)],
    code: status.INTERNAL,
  },
  'a zlib message': {
    headers: { 'grpc-encoding': 'deflate' },
    chunks: [frameOf(deflateSync('a'), 1)],
    code: status.OK,
  },
  'a path that no method has': { headers: { ':path': '/100%/Nothing' }, code: status.UNIMPLEMENTED },
  'text/plain': { headers: { 'content-type': 'text/plain' }, httpStatus: 415 },
  'application/grpc+proto': { headers: { 'content-type': 'application/grpc+proto' }, code: status.OK },
  'a type with a parameter': { headers: { 'content-type': 'application/grpc; a=b' }, code: status.OK },
  'an invalid timeout': { headers: { 'grpc-timeout': 'soon' }, code: status.INTERNAL },
  'a timeout of ten thousand years': { headers: { 'grpc-timeout': '99999999H' }, code: status.OK },
  'a timeout with too many digits': { headers: { 'grpc-timeout': '100000000m' }, code: status.OK },
  'GET without a body': { headers: { ':method': 'GET' }, chunks: [], code: status.UNIMPLEMENTED },
}

const referenceServer = new Server()
referenceServer.addService(
  {
    call: {
      path,
      requestStream: false,
      responseStream: false,
      requestDeserialize: sameBytes,
      requestSerialize: sameBytes,
      responseDeserialize: sameBytes,
      responseSerialize: sameBytes,
    },
  },
  {
    call: ({ request }: { request: Buffer }, onDone: (error: null, response: Buffer) => void) =>
      onDone(null, request),
  },
)
const referencePort = await new Promise<number>((resolve, reject) =>
  referenceServer.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error === null ? resolve(port) : reject(error),
  ),
)
const referenceSession = connect(`http://127.0.0.1:${referencePort}`)
after(() => {
  referenceSession.destroy()
  referenceServer.forceShutdown()
})

for (const [name, { headers = {}, chunks = [frameOf('a')], code, httpStatus = 200 }] of Object.entries(
  malformed,
))
  test(`${name} gets the status that the grpc-js server sends`, async () => {
    const response = await callRaw(session, headers, chunks)
    assert.equal(response.httpStatus, httpStatus)
    assert.equal(response.grpcStatus, code)
    const reference = await callRaw(referenceSession, headers, chunks)
    assert.equal(response.grpcStatus, reference.grpcStatus)
    assert.equal(response.httpStatus, reference.httpStatus)
    assert.equal(response.isTrailersOnly, reference.isTrailersOnly)
    assert.deepEqual(response.body, reference.body)
  })

test('JSON and gRPC-Web are rejected', async () => {
  for (const type of ['application/grpc+json', 'application/grpc-web'])
    assert.equal((await callRaw(session, { 'content-type': type }, [frameOf('a')])).httpStatus, 415)
})

test('a message may arrive in any chunks', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(305), { maxLength: 40 }),
      async (message, cuts) => {
        const frame = frameOf(Buffer.from(message))
        const places = [0, ...cuts.filter((cut) => cut < frame.length), frame.length].toSorted(
          (a, b) => a - b,
        )
        const chunks = places.slice(1).map((place, index) => frame.subarray(places[index], place))
        const { body, grpcStatus } = await callRaw(session, {}, chunks)
        assert.equal(grpcStatus, status.OK)
        assert.deepEqual(body, frame)
      },
    ),
    { numRuns: 50 },
  ))

test('a call ends at its deadline, both while it is sent and while it is processed', async () => {
  const { code } = await failureOf(
    callWith(client, Buffer.from('a'), { path: pendingPath, deadline: Date.now() + 50 }),
  )
  assert.equal(code, status.DEADLINE_EXCEEDED)
  for (const [callPath, chunk] of [
    [pendingPath, frameOf('abc')],
    [path, frameOf('abc').subarray(0, 6)],
  ] as const) {
    const headers = { ':path': callPath, 'grpc-timeout': '50m' }
    const { grpcStatus, resetCode } = await callRaw(session, headers, [chunk], { isOpen: callPath === path })
    assert.equal(grpcStatus, status.DEADLINE_EXCEEDED)
    assert.equal(resetCode, constants.NGHTTP2_NO_ERROR)
  }
  // Their responses come after the deadline.
  resolvePending()
  assert.deepEqual(await callWith(client, Buffer.from('next')), Buffer.from('next'))
})

test('clients that disconnect in the middle of a call do not affect others', async () => {
  const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = constants
  for (const resetCode of [undefined, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR])
    for (const isWhole of [false, true]) {
      const leaving = connect(`http://127.0.0.1:${server.port}`)
      leaving.on('error', () => {})
      const stream = leaving.request({
        ':method': 'POST',
        ':path': pendingPath,
        'content-type': 'application/grpc',
        'grpc-timeout': '1H',
      })
      stream.on('error', () => {})
      const frame = frameOf('abcdef')
      if (isWhole) {
        const isPending = waitForPending(1)
        stream.end(frame)
        await isPending
      } else {
        stream.write(frame.subarray(0, 8))
        await new Promise((resolve) => leaving.ping(resolve))
      }
      if (resetCode !== undefined) {
        stream.close(resetCode)
        await new Promise((resolve) => leaving.ping(resolve))
      }
      leaving.destroy()
      await once(leaving, 'close')
      resolvePending()
      assert.deepEqual(await callWith(client, Buffer.from('next')), Buffer.from('next'))
    }
})

test('HTTP methods that no exporter uses do no harm', async () => {
  const [head] = await Promise.all([
    callRaw(session, { ':method': 'HEAD' }, []),
    callRaw(session, { ':method': 'PUT' }, [frameOf('a')]),
  ])
  assert.equal(head.httpStatus, 200)
  const connection = connect(`http://127.0.0.1:${server.port}`)
  const tunnel = connection.request({ ':method': 'CONNECT', ':authority': 'example.com:443' })
  tunnel.on('error', () => {})
  tunnel.resume()
  await once(tunnel, 'close')
  connection.destroy()
  assert.deepEqual(await callWith(client, Buffer.from('next')), Buffer.from('next'))
})

test('data that is damaged or not HTTP/2 ends only its own connection', async () => {
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const socket = connectSocket(server.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.resume()
      socket.end(bytes)
    })
  await send(Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'))
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const noSettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
  const frames = fc.array(
    fc
      .tuple(fc.uint8Array({ maxLength: 60 }), fc.nat(10), fc.nat(255), fc.nat(9))
      .map(([payload, type, flags, streamId]) =>
        Buffer.concat([Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, streamId]), payload]),
      ),
    { maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(frames, (damagedFrames) => send(Buffer.concat([preface, noSettings, ...damagedFrames]))),
    { numRuns: 100 },
  )
  assert.deepEqual(await callWith(client, Buffer.from('next')), Buffer.from('next'))
})

test('a connection has limits on streams and headers, and a window that fits an export', async () => {
  const connection = connect(`http://127.0.0.1:${server.port}`)
  await once(connection, 'remoteSettings')
  const { maxConcurrentStreams, initialWindowSize, maxHeaderListSize } = connection.remoteSettings
  assert.equal(maxConcurrentStreams, 100)
  assert.equal(initialWindowSize, 1024 * 1024)
  assert.equal(maxHeaderListSize, 16 * 1024)
  const large = await callRaw(connection, { 'x-large': 'a'.repeat(17 * 1024) }, [frameOf('a')])
  assert.equal(large.httpStatus, undefined)
  assert.notEqual(large.resetCode, constants.NGHTTP2_NO_ERROR)
  assert.equal((await callRaw(connection, {}, [frameOf('a')])).grpcStatus, status.OK)

  const calls = Array.from({ length: 150 }, () =>
    callRaw(connection, { ':path': pendingPath }, [frameOf('a')]),
  )
  await waitForPending(100)
  await new Promise((resolve) => connection.ping(resolve))
  assert.equal(resolvers.length, 100)
  onPending = () => resolvePending()
  resolvePending()
  for (const { grpcStatus } of await Promise.all(calls)) assert.equal(grpcStatus, status.OK)
  onPending = () => {}
  connection.destroy()
})

test('closing finishes the calls in progress, and accepts no more', async () => {
  const closing = await serve()
  const connections = [0, 1].map(() => connect(`http://127.0.0.1:${closing.port}`))
  const [busy, idle] = connections as [ClientHttp2Session, ClientHttp2Session]
  await Promise.all(connections.map((connection) => once(connection, 'remoteSettings')))
  const isPending = waitForPending(1)
  const call = callRaw(busy, { ':path': pendingPath }, [frameOf('last')])
  await isPending
  const [closed, goaways] = [closing.close(), connections.map((connection) => once(connection, 'goaway'))]
  for (const goaway of goaways) assert.equal((await goaway)[0], constants.NGHTTP2_NO_ERROR)
  if (!idle.destroyed) await once(idle, 'close')
  const socket = connectSocket(closing.port, '127.0.0.1')
  assert.equal((await once(socket, 'error'))[0].code, 'ECONNREFUSED')
  resolvePending()
  const { grpcStatus, body } = await call
  assert.equal(grpcStatus, status.OK)
  assert.deepEqual(body, frameOf('last'))
  await closed
})

test('closing ends calls that take too long', async () => {
  const closing = await serve(1)
  const connection = connect(`http://127.0.0.1:${closing.port}`)
  connection.on('error', () => {})
  const silent = connectSocket(closing.port, '127.0.0.1')
  silent.on('error', () => {})
  await once(silent, 'connect')
  const isPending = waitForPending(1)
  const call = callRaw(connection, { ':path': pendingPath }, [frameOf('a')])
  await isPending
  await closing.close()
  assert.equal((await call).httpStatus, undefined)
  resolvePending()
})

test('listens on every address of its host, and reports if there is none', async () => {
  const local = await serveCalls({
    methods,
    messageBytesMax,
    largeBodies,
    host: 'localhost',
    port: 0,
    connectionsMax: 1000,
    closeTimeoutMs: 1,
    logger,
  })
  const connection = connect(`http://127.0.0.1:${local.port}`)
  assert.equal((await callRaw(connection, {}, [frameOf('a')])).grpcStatus, status.OK)
  const parts = { methods, messageBytesMax, largeBodies, connectionsMax: 1000, closeTimeoutMs: 1, logger }
  await assert.rejects(serveCalls({ ...parts, host: '127.0.0.1', port: local.port }), /EADDRINUSE/)
  await assert.rejects(serveCalls({ ...parts, host: 'nowhere.invalid', port: 0 }), /nowhere\.invalid/)
  connection.destroy()
  await local.close()
})

test('a call is admitted before its message has arrived', async () => {
  // The prefix announces 4 MB, which never arrive.
  const chunks = [Buffer.from([0, 0, 64, 0, 0])]
  const response = await callRaw(session, { ':path': closedPath }, chunks, { isOpen: true })
  assert.equal(response.grpcStatus, status.UNAUTHENTICATED)
})

test('a message that stalls ends its call, but not a call that the service is processing', async () => {
  const local = await serve(1, { stalledMs: 1000 })
  const connection = connect(`http://127.0.0.1:${local.port}`)
  const pending = callRaw(connection, { ':path': pendingPath }, [frameOf('a')])
  await waitForPending(1)
  const stalled = await callRaw(connection, {}, [frameOf('abc').subarray(0, 6)], { isOpen: true })
  assert.equal(stalled.grpcStatus, status.DEADLINE_EXCEEDED)
  resolvePending()
  assert.equal((await pending).grpcStatus, status.OK)
  connection.destroy()
  await local.close()
})

test('closes connections that make no first call, are idle, or exceed the limit', async () => {
  const hasNoCall = await serve(1, { firstCallMs: 50, idleMs: 3_600_000 })
  const silent = connectSocket(hasNoCall.port, '127.0.0.1')
  await once(silent.resume(), 'close')
  const becomesIdle = await serve(1, { firstCallMs: 3_600_000, idleMs: 50 })
  const used = connect(`http://127.0.0.1:${becomesIdle.port}`)
  const usedClosed = once(used, 'close')
  assert.equal((await callRaw(used, {}, [frameOf('a')])).grpcStatus, status.OK)
  await usedClosed
  const patient = await serve(1, { connectionsMax: 1 })
  const first = connect(`http://127.0.0.1:${patient.port}`)
  assert.equal((await callRaw(first, {}, [frameOf('a')])).grpcStatus, status.OK)
  const second = connectSocket(patient.port, '127.0.0.1')
  await once(
    second.resume().on('error', () => {}),
    'close',
  )
  first.destroy()
  await Promise.all([hasNoCall, becomesIdle, patient].map((each) => each.close()))
})
