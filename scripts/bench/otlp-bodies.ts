/** Encoded span exports, each sent with new trace ids. */
import { randomBytes, randomFillSync } from 'node:crypto'
import { createRequire } from 'node:module'

const spansPerTrace = 5
export const tracesPerExport = 10
export const spansPerExport = spansPerTrace * tracesPerExport

interface Encoder {
  encode(value: object): { finish(): Uint8Array }
}

/** Safe: the generated code has these names. */
const { opentelemetry } = createRequire(new URL('../../server/src/main.ts', import.meta.url))(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Encoder } } } } }
}

const attribute = (key: string, value: string | number): object => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
})

const message = (role: string, length: number): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content: 'plumb line '.repeat(length / 11) }] }])

/** As sent by an instrumented application: about 1 KB per span, with tokens. */
const attributesOf = (index: number): object[] =>
  index === 0
    ? [
        attribute('session.id', 'session'),
        attribute('user.id', 'ann'),
        attribute('input.value', 'A question.'),
      ]
    : [
        attribute('gen_ai.operation.name', 'chat'),
        attribute('gen_ai.provider.name', 'openai'),
        attribute('gen_ai.request.model', 'gpt-4o'),
        attribute('gen_ai.usage.input_tokens', 225),
        attribute('gen_ai.usage.output_tokens', 125),
        attribute('gen_ai.input.messages', message('user', 500)),
        attribute('gen_ai.output.messages', message('assistant', 300)),
      ]

export interface Export {
  /** The message, with new trace ids for each call. */
  next(): Buffer
  readonly bytes: number
}

export function makeExport(): Export {
  const ids = Array.from({ length: tracesPerExport }, () => randomBytes(16))
  const startMs = Date.now()
  const spans = ids.flatMap((traceId) =>
    Array.from({ length: spansPerTrace }, (_, index) => ({
      traceId,
      spanId: Buffer.from([0, 0, 0, 0, 0, 0, 0, index + 1]),
      ...(index === 0 ? {} : { parentSpanId: Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]) }),
      name: index === 0 ? 'answer' : 'chat gpt-4o',
      kind: 3,
      startTimeUnixNano: (startMs + index) * 1_000_000,
      endTimeUnixNano: (startMs + index + 20) * 1_000_000,
      attributes: attributesOf(index),
    })),
  )
  const resource = { attributes: [attribute('service.name', 'bench')] }
  const { ExportTraceServiceRequest } = opentelemetry.proto.collector.trace.v1
  const bytes = Buffer.from(
    ExportTraceServiceRequest.encode({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'bench' }, spans }] }],
    }).finish(),
  )
  const places = ids.map((id) => placesOf(bytes, id))
  const fresh = Buffer.alloc(16)
  return {
    bytes: bytes.length,
    next() {
      const copy = Buffer.from(bytes)
      for (const offsets of places) {
        randomFillSync(fresh)
        for (const place of offsets) fresh.copy(copy, place)
      }
      return copy
    },
  }
}

function placesOf(bytes: Buffer, id: Buffer): number[] {
  const places: number[] = []
  for (let offset = bytes.indexOf(id); offset !== -1; offset = bytes.indexOf(id, offset + 1))
    places.push(offset)
  return places
}
