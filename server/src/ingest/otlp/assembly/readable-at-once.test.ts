/** Spans acknowledged over OTLP are readable at once, by either id, and become the same trace when they are stored. */
// One control plane is enough: the spool and the trace store are the same on both.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { operations } from '@plumbline/contract'
import { propertyRuns } from '../../../../../fixtures/property-runs.ts'
import {
  generationAttributes,
  idOf,
  type JsonSpan,
  jsonExport,
  jsonSpan,
  listen,
  postJson,
} from '../../../../testing/otlp-export.ts'
import {
  makeExperiment,
  makeFeature,
  startTestApp,
  type TestWorkspace,
} from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const ports = await listen(testApp)
const client = new Client(new URL(ports.grpc).host, credentials.createInsecure())
after(() => client.close())

interface Message {
  encode(value: object): { finish(): Uint8Array }
}
const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } }
}
const { ExportTraceServiceRequest } = opentelemetry.proto.collector.trace.v1

const bytesOf = (id: unknown): Buffer => Buffer.from(String(id ?? ''), 'hex')

/** The same spans in protobuf. */
const protobufOf = (spans: readonly JsonSpan[]): Buffer =>
  Buffer.from(
    ExportTraceServiceRequest.encode({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
                traceId: bytesOf(traceId),
                spanId: bytesOf(spanId),
                parentSpanId: bytesOf(parentSpanId),
                name,
                startTimeUnixNano: 1_760_000_000_000_000_000,
                endTimeUnixNano: 1_760_000_001_000_000_000,
                attributes: attributes ?? [],
              })),
            },
          ],
        },
      ],
    }).finish(),
  )

type Send = (workspace: TestWorkspace, spans: readonly JsonSpan[]) => Promise<void>

const overHttp: Send = async (workspace, spans) => {
  const response = await postJson(testApp, workspace, jsonExport(spans))
  assert.equal(response.text, '{}')
}

const overGrpc: Send = (workspace, spans) =>
  new Promise((resolve, reject) => {
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${workspace.key.secret}`)
    client.makeUnaryRequest(
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      (body: Buffer) => body,
      (body: Buffer) => body,
      protobufOf(spans),
      metadata,
      (error) => (error === null ? resolve() : reject(error)),
    )
  })

const find = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(operations.traces.get, { id })).trace

const spanIds = (trace: { readonly logs: readonly { readonly id: string }[] }): string[] =>
  trace.logs.map(({ id }) => id).sort()

const root = (trace: number): JsonSpan =>
  jsonSpan({ traceId: idOf(trace, 16), spanId: idOf(0, 8), name: 'root' })
const call = (trace: number, index: number): JsonSpan =>
  jsonSpan({
    traceId: idOf(trace, 16),
    spanId: idOf(index, 8),
    parentSpanId: idOf(0, 8),
    name: `call ${index}`,
    attributes: generationAttributes(10, index),
  })

test('a trace is readable by either id right after each of its exports', async () => {
  const workspace = await newWorkspace()
  const runs = propertyRuns(12).numRuns
  const ids = new Map<number, string>()
  for (let trace = 0; trace < runs; trace++) {
    const send = trace % 2 === 0 ? overHttp : overGrpc
    await send(workspace, [call(trace, 2)])
    const open = await find(workspace, idOf(trace, 16))
    assert.deepEqual(spanIds(open), [idOf(2, 8)])
    assert.deepEqual(await find(workspace, open.id), open)
    await send(workspace, [call(trace, 1), root(trace)])
    const grownTrace = await find(workspace, open.id)
    assert.deepEqual(spanIds(grownTrace), [idOf(0, 8), idOf(1, 8), idOf(2, 8)])
    assert.equal(grownTrace.name, 'root')
    assert.equal(grownTrace.totals.inputTokens, 20)
    ids.set(trace, open.id)
  }
  await app.flush()
  for (const [trace, id] of ids) {
    const storedTrace = await find(workspace, idOf(trace, 16))
    assert.equal(storedTrace.id, id)
    assert.deepEqual(spanIds(storedTrace), [idOf(0, 8), idOf(1, 8), idOf(2, 8)])
  }
  const { rows } = await workspace.ok(operations.metrics.query, { measures: 'traces,logs,inputTokens' })
  assert.deepEqual(rows, [{ traces: runs, logs: runs * 3, inputTokens: runs * 20 }])
})

test('a late span of a stored trace is readable at once, and a repeated span appears once', async () => {
  const workspace = await newWorkspace()
  await overHttp(workspace, [root(1)])
  const first = await find(workspace, idOf(1, 16))
  await app.flush()
  await overHttp(workspace, [call(1, 3)])
  await overHttp(workspace, [root(1), call(1, 3)])
  for (const id of [first.id, idOf(1, 16)]) {
    const trace = await find(workspace, id)
    assert.equal(trace.id, first.id)
    assert.deepEqual(spanIds(trace), [idOf(0, 8), idOf(3, 8)])
  }
})

test('a trace that was just acknowledged accepts scores and joins an experiment', async () => {
  const workspace = await newWorkspace()
  await makeFeature(workspace)
  const experiment = await makeExperiment(workspace)
  await overHttp(workspace, [root(2), call(2, 1)])
  const { id } = await find(workspace, idOf(2, 16))
  const { score } = await workspace.ok(operations.scores.create, {
    traceId: idOf(2, 16),
    logId: idOf(1, 8),
    name: 'good',
    value: true,
  })
  assert.deepEqual(
    (await find(workspace, id)).scores.map((each) => each.id),
    [score.id],
  )
  await workspace.ok(operations.experiments.attach, {
    id: experiment.id,
    traceIds: [id],
  })
  assert.equal((await find(workspace, id)).experiment?.id, experiment.id)
  await app.flush()
  const storedTrace = await find(workspace, id)
  assert.equal(storedTrace.experiment?.id, experiment.id)
  assert.deepEqual(
    storedTrace.scores.map((each) => each.id),
    [score.id],
  )
})

test('an acknowledged trace is not found from another workspace', async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()]
  await overHttp(workspace, [root(3)])
  const { id } = await find(workspace, idOf(3, 16))
  for (const name of [id, idOf(3, 16)]) {
    const response = await other.call(operations.traces.get, { id: name })
    assert.equal(response.status, 404)
  }
})
