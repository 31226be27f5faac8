/** OpenTelemetry's own exporters, against both ports of a running service. */
// One control plane is enough: this tests HTTP and gRPC, not stored data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metadata } from '@grpc/grpc-js'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { operations } from '@plumbline/contract'
import { listen } from '../../../../testing/otlp-export.ts'
import { startTestApp, type TestWorkspace } from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const ports = await listen(testApp)

const exporters: Readonly<Record<string, (secret: string) => SpanExporter>> = {
  'gRPC, compressed': (secret) => {
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${secret}`)
    return new GrpcExporter({ url: ports.grpc, metadata, compression: 'gzip' as never })
  },
  'gRPC with x-api-key': (secret) => {
    const metadata = new Metadata()
    metadata.set('x-api-key', secret)
    return new GrpcExporter({ url: ports.grpc, metadata })
  },
  'HTTP in protobuf, compressed': (secret) =>
    new ProtoExporter({
      url: `${ports.http}/v1/traces`,
      headers: { authorization: `Bearer ${secret}` },
      compression: 'gzip' as never,
    }),
  'HTTP in JSON, at the root': (secret) =>
    new JsonExporter({ url: ports.http, headers: { 'x-api-key': secret } }),
}

/** A trace of three levels, exported as an application would. */
async function runApplication(exporter: SpanExporter): Promise<string> {
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer('application', '1.2.3')
  const contextOf = (span: ReturnType<typeof tracer.startSpan>) => trace.setSpan(context.active(), span)
  const root = tracer.startSpan('answer a question', {
    attributes: { 'session.id': 'session', 'user.id': 'ann' },
  })
  const step = tracer.startSpan('think', {}, contextOf(root))
  const call = tracer.startSpan(
    'chat gpt-4o',
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 200,
        'gen_ai.usage.output_tokens': 100,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'Why? 今' }] },
        ]),
      },
    },
    contextOf(step),
  )
  call.end()
  const tool = tracer.startSpan(
    'execute_tool search',
    { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' } },
    contextOf(step),
  )
  tool.recordException(new Error('nothing found'))
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'nothing found' })
  tool.end()
  step.end()
  root.end()
  await provider.forceFlush()
  await provider.shutdown()
  return root.spanContext().traceId
}

const readTrace = async (workspace: TestWorkspace, otelTraceId: string) => {
  await app.flush()
  const { trace } = await workspace.ok(operations.traces.get, { id: otelTraceId })
  return trace
}

for (const [name, make] of Object.entries(exporters)) {
  test(`a nested run arrives whole over ${name}`, async () => {
    const workspace = await newWorkspace()
    const trace = await readTrace(workspace, await runApplication(make(workspace.key.secret)))
    assert.equal(trace.name, 'answer a question')
    assert.equal(trace.user?.id, 'ann')
    const byName = new Map(trace.logs.map((log) => [log.name, log]))
    const call = byName.get('chat gpt-4o')
    const step = byName.get('think')
    const tool = byName.get('execute_tool search') ?? byName.get('search')
    assert.ok(call && step && tool)
    assert.equal(call.type, 'generation')
    assert.equal(tool.type, 'tool')
    assert.equal(call.parentId, step.id)
    assert.equal(tool.parentId, step.id)
    assert.equal(trace.totals.inputTokens, 200)
    assert.equal(trace.totals.outputTokens, 100)
    assert.equal(trace.totals.errors, 1)
    assert.ok((trace.totals.cost ?? 0) > 0)
    assert.match(JSON.stringify(call.input), /Why\? 今/)
    const { traces } = await workspace.ok(operations.traces.list, {})
    assert.deepEqual(
      traces.map(({ id }) => id),
      [trace.id],
    )
  })
}
