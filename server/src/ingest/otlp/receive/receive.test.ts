/** Requests and responses of both ports. */
// One control plane is enough: this tests HTTP and gRPC, not stored data.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { brotliCompressSync, deflateSync } from 'node:zlib'
import { Client, credentials, type ServiceError as GrpcError, Metadata, status } from '@grpc/grpc-js'
import { operations, ServiceError } from '@plumbline/contract'
import protobufjs from 'protobufjs'
import { readExports } from '../../../../../fixtures/captures/exports.ts'
import {
  generationAttributes,
  idOf,
  type JsonSpan,
  jsonExport,
  jsonSpan,
  listen,
  postJson,
} from '../../../../testing/otlp-export.ts'
import { errorOf, makeFeature, startTestApp, type TestWorkspace } from '../../../../testing/test-app.ts'

import { readSpans } from './read-export.ts'

const testApp = await startTestApp()
const { app, newWorkspace, send } = testApp
const ports = await listen(testApp)
const client = new Client(new URL(ports.grpc).host, credentials.createInsecure())
after(() => client.close())

interface Message {
  encode(value: object): { finish(): Uint8Array }
  decode(bytes: Uint8Array): {
    partialSuccess?: { rejectedSpans: { toString(): string }; errorMessage: string } | null
  }
}
const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as { opentelemetry: { proto: { collector: { trace: { v1: Record<string, Message> } } } } }
const { ExportTraceServiceRequest: Request, ExportTraceServiceResponse: Response } = opentelemetry.proto
  .collector.trace.v1 as { ExportTraceServiceRequest: Message; ExportTraceServiceResponse: Message }

const span = (number: number, fields: object = {}): JsonSpan =>
  jsonSpan({ traceId: idOf(number, 16), spanId: idOf(number, 8), ...fields })

const protobufOf = (spans: readonly object[]): Buffer =>
  Buffer.from(Request.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish())

const bytesSpan = (number: number, fields: object = {}) => ({
  traceId: Buffer.from(idOf(number, 16), 'hex'),
  spanId: Buffer.from(idOf(number, 8), 'hex'),
  name: 'work',
  startTimeUnixNano: 1_760_000_000_000_000_000,
  endTimeUnixNano: 1_760_000_001_000_000_000,
  ...fields,
})

const exportPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/** Calls over gRPC; returns the response, or the error code. */
function call(
  bytes: Buffer,
  headers: Record<string, string>,
  path = exportPath,
): Promise<Buffer | GrpcError> {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      bytes,
      metadata,
      (error, answer) => resolve(error ?? answer ?? Buffer.alloc(0)),
    )
  })
}

async function codeOf(
  bytes: Buffer,
  headers: Record<string, string>,
): Promise<{ code: number; details: string }> {
  const answer = await call(bytes, headers)
  assert.ok(!Buffer.isBuffer(answer), 'it was taken')
  return answer
}

const keyOf = ({ key }: TestWorkspace) => ({ authorization: `Bearer ${key.secret}` })
const readTrace = async (workspace: TestWorkspace, number: number) => {
  await app.flush()
  return (await workspace.ok(operations.traces.get, { id: idOf(number, 16) })).trace
}

test('JSON may have ids in hexadecimal or base64, numbers as texts or numbers, and enumerations by name', async () => {
  const workspace = await newWorkspace()
  const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
  const answer = await postJson(
    testApp,
    workspace,
    {
      ...jsonExport([
        span(1, { attributes: generationAttributes(7, 5), unknownField: { any: 1 } }),
        {
          traceId: base64(idOf(1, 16)),
          spanId: base64(idOf(2, 8)),
          parentSpanId: base64(idOf(1, 8)),
          name: 'failed',
          kind: 3,
          startTimeUnixNano: 1_760_000_000_000_000_000,
          endTimeUnixNano: 1_760_000_000_500_000_000,
          status: { code: 'STATUS_CODE_ERROR', message: 'no' },
          attributes: [
            { key: 'big', value: { intValue: '9007199254740993' } },
            { key: 'long', value: { intValue: '-1180591620717411303424' } },
            { key: 'large', value: { doubleValue: 1e20 } },
            { key: '__proto__', value: { stringValue: 'own' } },
          ],
        },
      ]),
      unknown: true,
    },
    { isCompressed: true },
  )
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{}')
  const trace = await readTrace(workspace, 1)
  assert.equal(trace.logs.length, 2)
  const failed = trace.logs.find(({ name }) => name === 'failed')
  assert.equal(failed?.parentId, trace.logs.find(({ name }) => name !== 'failed')?.id)
  assert.equal(trace.totals.errors, 1)
  assert.equal(trace.totals.inputTokens, 7)
  const { otel } = failed!.metadata as { otel: { attributes: object } }
  assert.deepEqual(Object.entries(otel.attributes), [
    ['big', '9007199254740993'],
    ['long', '-1180591620717411303424'],
    ['large', 1e20],
    ['__proto__', 'own'],
  ])
})

test('an invalid span is rejected without affecting others, and the ledger counts stored and rejected spans', async () => {
  const workspace = await newWorkspace()
  const bad = [
    span(3, { traceId: '0'.repeat(32) }),
    span(3, { spanId: 'abc' }),
    { ...span(3), traceId: undefined },
    span(3, { startTimeUnixNano: '-5' }),
    span(3, { startTimeUnixNano: '99999999999999999999' }),
    span(3, { parentSpanId: 'abcd' }),
    null,
  ]
  const answer = await postJson(testApp, workspace, jsonExport([span(3), ...bad]))
  assert.equal(answer.status, 200)
  const { partialSuccess } = JSON.parse(answer.text) as {
    partialSuccess: { rejectedSpans: string; errorMessage: string }
  }
  assert.equal(partialSuccess.rejectedSpans, String(bad.length))
  assert.match(partialSuccess.errorMessage, /^resourceSpans\[0\]\.scopeSpans\[0\]\.spans\[1\] must/)

  const accepted = await call(
    protobufOf([bytesSpan(4), bytesSpan(4, { spanId: Buffer.alloc(7) })]),
    keyOf(workspace),
  )
  assert.ok(Buffer.isBuffer(accepted))
  assert.equal(String(Response.decode(accepted).partialSuccess?.rejectedSpans), '1')
  assert.equal((await readTrace(workspace, 3)).logs.length, 1)
  const { entries } = await workspace.ok(operations.ledger.list, {})
  assert.deepEqual(
    entries.map(({ received, stored, rejected }) => ({ received, stored, rejected })),
    [{ received: bad.length + 3, stored: 2, rejected: bad.length + 1 }],
  )
})

test('an unknown feature or experiment gives a warning, and the trace is stored without it', async () => {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  const featureAttribute = (feature: string) => [
    { key: 'basalt.span.feature_slug', value: { stringValue: feature } },
  ]
  const answer = await postJson(
    testApp,
    workspace,
    jsonExport([span(5, { attributes: featureAttribute('nowhere') })]),
  )
  const { partialSuccess } = JSON.parse(answer.text) as {
    partialSuccess: { rejectedSpans: string; errorMessage: string }
  }
  assert.equal(partialSuccess.rejectedSpans, '0')
  assert.match(partialSuccess.errorMessage, /No feature has the slug "nowhere"/)
  assert.equal((await readTrace(workspace, 5)).featureSlug, null)
  assert.equal(
    (await postJson(testApp, workspace, jsonExport([span(6, { attributes: featureAttribute('chat') })])))
      .text,
    '{}',
  )
  assert.equal((await readTrace(workspace, 6)).featureSlug, 'chat')
})

test('a missing key, a wrong key or one without the scope is rejected, over HTTP in the encoding of the request', async () => {
  const workspace = await newWorkspace()
  const reader = await workspace.newKey(['read'])
  const refusals = [
    [{}, 401, status.UNAUTHENTICATED],
    [{ authorization: 'Bearer pl_wrong' }, 401, status.UNAUTHENTICATED],
    [{ authorization: `Bearer ${reader.secret}` }, 403, status.PERMISSION_DENIED],
  ] as const
  for (const [headers, httpStatus, grpcStatus] of refusals) {
    const json = await send({
      method: 'POST',
      url: '/v1/traces',
      payload: '{}',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    assert.equal(json.status, httpStatus)
    errorOf(json)
    const protobuf = await send({
      method: 'POST',
      url: '/v1/traces',
      payload: protobufOf([bytesSpan(7)]),
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
    })
    assert.equal(protobuf.status, httpStatus)
    assert.equal(protobuf.headers['content-type'], 'application/x-protobuf')
    assert.ok(protobuf.bytes.toString('utf8').includes(JSON.parse(json.text).error as string))
    const { code, details } = await codeOf(protobufOf([bytesSpan(7)]), headers)
    assert.equal(code, grpcStatus)
    assert.equal(details, JSON.parse(json.text).error)
  }
})

test('a malformed or oversized message is rejected without a retry', async () => {
  const workspace = await newWorkspace()
  for (const [payload, type, expected] of [
    ['[]', 'application/json', 400],
    ['{', 'application/json', 400],
    [Buffer.from([0x0a, 0xff]), 'application/x-protobuf', 400],
    ['a', 'text/plain', 415],
  ] as const) {
    const answer = await send({
      method: 'POST',
      url: '/v1/traces',
      payload,
      headers: { ...keyOf(workspace), 'content-type': type },
    })
    assert.equal(answer.status, expected, type)
  }
  assert.equal((await codeOf(Buffer.from([0x0a, 0xff]), keyOf(workspace))).code, status.INVALID_ARGUMENT)
  const tooLarge = Buffer.alloc(16 * 1024 * 1024 + 1)
  assert.equal((await codeOf(tooLarge, keyOf(workspace))).code, status.RESOURCE_EXHAUSTED)
  const answer = await send({
    method: 'POST',
    url: '/v1/traces',
    payload: deflateSync(tooLarge),
    headers: { ...keyOf(workspace), 'content-type': 'application/x-protobuf', 'content-encoding': 'deflate' },
  })
  assert.equal(answer.status, 413)
})

test('bodies may be compressed with br, and an export without spans is a success', async () => {
  const workspace = await newWorkspace()
  const headers = { ...keyOf(workspace), 'content-type': 'application/x-protobuf' }
  const answer = await send({
    method: 'POST',
    url: '/v1/traces',
    payload: brotliCompressSync(protobufOf([bytesSpan(8)])),
    headers: { ...headers, 'content-encoding': 'br' },
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.bytes.length, 0)
  assert.equal((await readTrace(workspace, 8)).logs.length, 1)
  const empty = await send({ method: 'POST', url: '/v1/traces', payload: Buffer.alloc(0), headers })
  assert.equal(empty.status, 200)
})

test('metrics get a success response, and log records of a span become its events', async () => {
  const workspace = await newWorkspace()
  assert.equal(
    (await postJson(testApp, workspace, { resourceMetrics: [] }, { url: '/v1/metrics' })).text,
    '{}',
  )
  const metricsPath = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'
  assert.ok(Buffer.isBuffer(await call(Buffer.from([1, 2, 3]), keyOf(workspace), metricsPath)))

  const question = 'What is the plumb line?'
  const record = {
    timeUnixNano: '1760000000500000000',
    traceId: idOf(9, 16),
    spanId: idOf(9, 8),
    eventName: 'gen_ai.client.inference.operation.details',
    attributes: [
      {
        key: 'gen_ai.input.messages',
        value: {
          stringValue: JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
        },
      },
    ],
  }
  const logs = {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [record, record, { body: { stringValue: 'of no span' } }] }] },
    ],
  }
  assert.equal((await postJson(testApp, workspace, logs, { url: '/v1/logs' })).text, '{}')
  await app.flush()
  await postJson(testApp, workspace, jsonExport([span(9, { attributes: generationAttributes(3, 4) })]))
  const trace = await readTrace(workspace, 9)
  assert.equal(trace.logs.length, 1)
  assert.match(JSON.stringify(trace.logs[0]?.input), new RegExp(question.replace('?', '\\?')))
})

// otlp, findings 1 and 2
test('log records in protobuf, over HTTP and gRPC, become messages in the order of their times', async () => {
  const [events] = readExports('openai-v2-events').filter(({ path }) => path.endsWith('/logs'))
  const [spans] = readExports('openai-v2-events').filter(({ path }) => path.endsWith('/traces'))
  const { traceId } = readSpans(spans!.body, 'protobuf').parts[0]!
  const post = (workspace: TestWorkspace, url: string, payload: Buffer) =>
    send({
      method: 'POST',
      url,
      headers: { ...keyOf(workspace), 'content-type': 'application/x-protobuf' },
      payload,
    })
  const logsPath = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
  const takeLogs = {
    http: async (workspace: TestWorkspace) =>
      assert.equal((await post(workspace, '/v1/logs', events!.body)).status, 200),
    grpc: async (workspace: TestWorkspace) =>
      assert.ok(Buffer.isBuffer(await call(events!.body, keyOf(workspace), logsPath))),
  }
  for (const take of Object.values(takeLogs)) {
    const workspace = await newWorkspace()
    await take(workspace)
    assert.equal((await post(workspace, '/v1/traces', spans!.body)).status, 200)
    await app.flush()
    const { trace } = await workspace.ok(operations.traces.get, { id: traceId })
    const roles = trace.logs.map(({ input }) =>
      Array.isArray(input) ? input.map((message) => (message as { role: string }).role) : null,
    )
    assert.deepEqual(roles, [
      null,
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
      ['user'],
      ['system', 'user'],
    ])
  }
  const empty = await call(Buffer.alloc(0), keyOf(await newWorkspace()), logsPath)
  assert.ok(Buffer.isBuffer(empty), 'an empty export is one without records')
})

// otlp, finding 12
test('a span of an unknown convention lists the attributes that were not understood, and a metric counts them', async () => {
  const workspace = await newWorkspace()
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  await postJson(
    testApp,
    workspace,
    jsonExport([
      span(11, { attributes: [text('acme.llm.prompt', 'Why?'), text('acme.llm.response', 'Because.')] }),
    ]),
  )
  const trace = await readTrace(workspace, 11)
  const { otel } = trace.logs[0]!.metadata as { otel: { notUnderstood: string[] } }
  assert.deepEqual(otel.notUnderstood, ['acme.llm.prompt', 'acme.llm.response'])
  const { text: metrics } = await send({ method: 'GET', url: '/metrics' })
  assert.match(metrics, /plumbline_otlp_attributes_not_understood_total\{name="acme\.llm\.prompt"\} [1-9]/)
})

test('totals state how many generations have no price, and how many the service has counted itself', async () => {
  const workspace = await newWorkspace()
  const model = (name: string) => [{ key: 'gen_ai.request.model', value: { stringValue: name } }]
  const makeChild = (number: number, fields: object) =>
    span(number, { traceId: idOf(12, 16), parentSpanId: idOf(12, 8), ...fields })
  const output = { key: 'gen_ai.completion.0.content', value: { stringValue: 'Because.' } }
  await postJson(
    testApp,
    workspace,
    jsonExport([
      span(12),
      makeChild(13, { attributes: generationAttributes(3, 4) }),
      makeChild(14, { attributes: [...generationAttributes(3, 4), ...model('no-such-model')] }),
      makeChild(15, {
        attributes: [...model('gpt-4o'), output, { key: 'gen_ai.response.id', value: { stringValue: 'r' } }],
      }),
    ]),
  )
  const { totals } = await readTrace(workspace, 12)
  assert.deepEqual([totals.unpriced, totals.estimated], [1, 1])
})

test('other methods are rejected, and the response names the allowed one', async () => {
  const answer = await send({ method: 'GET', url: '/v1/traces' })
  assert.ok(answer.status === 405 || answer.status === 401, String(answer.status))
  assert.equal(answer.headers.allow, 'POST')
})

/** The fields of a status that exporters read, with the names of the definitions in googleapis. */
const { root: statusDefinitions } = protobufjs.parse(`
  syntax = "proto3";
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
`)

test('a key over its rate limit gets the time to retry, as it does when a store is away', async () => {
  // A second service does not fit into this process: the engine allows one data folder per process.
  const { makeReceiver } = await import('./receiver.ts')
  const { RateLimited } = await import('../../../requests/retry-after.ts')
  let failure: Error = new RateLimited(60, 7)
  const receiver = makeReceiver({
    authenticator: {
      authenticate: () => ({
        workspaceId: 'w',
        id: 'k',
        name: 'Key',
        session: undefined,
        scopes: ['ingest'],
        role: 'viewer',
      }),
    },
    checkRate: () => {
      throw failure
    },
    workspaceOf: () => assert.fail('it was taken'),
    ledger: undefined as never,
  })
  const { listenGrpc } = await import('./grpc.ts')
  const { makeLargeBodies } = await import('../../../requests/large-bodies.ts')
  const largeBodies = makeLargeBodies()
  const { pino } = await import('pino')
  const server = await listenGrpc({
    receiver,
    largeBodies,
    host: '127.0.0.1',
    port: 0,
    connectionsMax: 10,
    logger: pino({ level: 'silent' }),
    now: () => new Date(),
  })
  const other = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure())
  const sendOne = () =>
    new Promise<GrpcError | null>((resolve) =>
      other.makeUnaryRequest(
        exportPath,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        Buffer.alloc(0),
        resolve,
      ),
    )
  const retryOf = async () => {
    const error = await sendOne()
    const [bytes] = error?.metadata.get('grpc-status-details-bin') ?? []
    assert.ok(Buffer.isBuffer(bytes), 'has details')
    const read = (name: string, message: Uint8Array) => {
      const type = statusDefinitions.lookupType(name)
      return type.toObject(type.decode(message), { longs: Number })
    }
    const { code, message, details } = read('Status', bytes)
    assert.deepEqual([code, message], [error?.code, error?.details])
    assert.equal(details[0].typeUrl, 'type.googleapis.com/google.rpc.RetryInfo')
    return [code, read('RetryInfo', details[0].value)]
  }
  assert.deepEqual(await retryOf(), [status.RESOURCE_EXHAUSTED, { retryDelay: { seconds: 7 } }])
  failure = new ServiceError('unavailable', { problem: 'The spool is full.' })
  assert.deepEqual(await retryOf(), [status.UNAVAILABLE, { retryDelay: { seconds: 5 } }])
  // Errors that the caller did not cause have no client code over gRPC either.
  for (const [fault, code] of [
    [new ServiceError('store_damaged', { store: 'The control plane' }), status.UNAVAILABLE],
    [new ServiceError('query_too_slow', undefined), status.UNAVAILABLE],
    [new Error('Nobody expected it.'), status.INTERNAL],
    [new ServiceError('invalid_request', { path: 'a', problem: 'is wrong' }), status.INVALID_ARGUMENT],
  ] as const) {
    failure = fault
    assert.equal((await sendOne())?.code, code)
  }
  await assert.rejects(
    listenGrpc({
      receiver,
      largeBodies,
      host: '127.0.0.1',
      port: server.port,
      connectionsMax: 10,
      logger: pino({ level: 'silent' }),
      now: () => new Date(),
    }),
    /OTLP_GRPC_PORT/,
  )
  other.close()
  await server.close()
})
