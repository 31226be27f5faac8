/** For tests: the service on a socket, a model, and the real OpenTelemetry SDK, which exports the calls of the model. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Metadata } from '@grpc/grpc-js'
import { trace as api } from '@opentelemetry/api'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { type OutputOf, operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { type ModelServer, startModelServer } from '../../../../../fixtures/model-server/server.ts'
import { startTestApp, type TestApp, type TestWorkspace } from '../../../../testing/test-app.ts'

export type Trace = OutputOf<typeof operations.traces.get>['trace']
export type Log = Trace['logs'][number]

export interface TracedService {
  readonly model: ModelServer
  readonly provider: NodeTracerProvider
  /** Runs `act` in a span, exports the spans and reads the trace back. */
  traced(name: string, act: () => Promise<unknown>): Promise<Trace>
}

/** Call it once per process, since the tracer provider is global, as in an application. */
export async function startTracedService(protocol: 'grpc' | 'json' | 'protobuf'): Promise<TracedService> {
  const test = await startTestApp()
  const workspace = await test.newWorkspace()
  const model = await startModelServer()
  const exporter = await exporterTo(test, workspace, protocol)
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  after(async () => {
    await provider.shutdown()
    await model.close()
  })

  return {
    model,
    provider,
    async traced(name, act) {
      await api.getTracer('application').startActiveSpan(name, async (span) => {
        await act()
        span.end()
      })
      await provider.forceFlush()
      return eventually(async () => {
        const { traces } = await workspace.ok(operations.traces.list, { name })
        assert.equal(traces.length, 1, `one trace is called "${name}"`)
        return (await workspace.ok(operations.traces.get, { id: traces[0]!.id })).trace
      })
    },
  }
}

async function exporterTo(
  { listen, listenGrpc }: TestApp,
  { key }: TestWorkspace,
  protocol: 'grpc' | 'json' | 'protobuf',
) {
  const authorization = `Bearer ${key.secret}`
  if (protocol === 'grpc') {
    const metadata = new Metadata()
    metadata.set('authorization', authorization)
    return new GrpcExporter({ url: await listenGrpc(), metadata })
  }
  const url = `${await listen()}/v1/traces`
  const Exporter = protocol === 'json' ? JsonExporter : ProtobufExporter
  return new Exporter({ url, headers: { authorization } })
}

/** The logs as a tree of `type name`. */
export function treeOf({ logs }: Pick<Trace, 'logs'>, parentId: string | null = null): unknown[] {
  return logs
    .filter((log) => log.parentId === parentId)
    .map(({ id, type, name }) => {
      const inner = treeOf({ logs }, id)
      return inner.length === 0 ? `${type} ${name}` : { [`${type} ${name}`]: inner }
    })
}

/** The generations of a trace, each with a model, tokens and a cost. */
export function generationsOf({ logs }: Trace): Log[] {
  const generations = logs.filter(({ type }) => type === 'generation')
  for (const { name, model, inputTokens, outputTokens, cost } of generations) {
    assert.ok(model, `${name} has a model`)
    assert.ok(inputTokens! > 0 && outputTokens! >= 0, `${name} has tokens`)
    assert.ok(cost! > 0, `${name} has a cost`)
  }
  return generations
}

/** A message in the common form of all conventions. */
export const message = (role: string, ...parts: object[]) => ({ role, parts })
export const text = (content: string) => ({ type: 'text', content })
