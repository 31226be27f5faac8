/** Starts the service and sends exports to it, for the tests of both ports. */
import { gzipSync } from 'node:zlib'
import type { TestApp, TestWorkspace } from './test-app.ts'

export interface Ports {
  readonly http: string
  readonly grpc: string
}

/** Listens on both ports. */
export async function listen(testApp: TestApp): Promise<Ports> {
  const [http, grpc] = await Promise.all([testApp.listen(), testApp.listenGrpc()])
  return { http, grpc }
}

export interface JsonSpan {
  readonly traceId: string
  readonly spanId: string
  readonly [field: string]: unknown
}

/** A span of one second in OTLP/JSON. */
export const jsonSpan = (fields: JsonSpan): JsonSpan => ({
  name: 'work',
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: '1760000000000000000',
  endTimeUnixNano: '1760000001000000000',
  ...fields,
})

export const jsonExport = (spans: readonly unknown[]): object => ({
  resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] }],
})

interface SendOptions {
  readonly headers?: Record<string, string>
  readonly url?: string
  readonly isCompressed?: boolean
}

/** Posts an export in JSON; resolves to the response. */
export const postJson = (
  { send }: TestApp,
  { key }: TestWorkspace,
  body: object,
  { headers = {}, url = '/v1/traces', isCompressed = false }: SendOptions = {},
) =>
  send({
    method: 'POST',
    url,
    payload: isCompressed ? gzipSync(JSON.stringify(body)) : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key.secret}`,
      'content-type': 'application/json',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
  })

const attribute = (key: string, value: string | number): object => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
})

/** The attributes of a model call, by the GenAI conventions. */
export const generationAttributes = (
  inputTokens: number,
  outputTokens: number,
  model = 'gpt-4o',
): object[] => [
  attribute('gen_ai.operation.name', 'chat'),
  attribute('gen_ai.provider.name', 'openai'),
  attribute('gen_ai.request.model', model),
  attribute('gen_ai.usage.input_tokens', inputTokens),
  attribute('gen_ai.usage.output_tokens', outputTokens),
]

/** The id of `bytes` bytes for a number. */
export const idOf = (number: number, bytes: 8 | 16): string =>
  (number + 1).toString(16).padStart(bytes * 2, '0')
