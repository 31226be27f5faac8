/** OpenTelemetry spans for tests of deletion. */
import assert from 'node:assert/strict'
import type { TestApp, TestWorkspace } from './test-app.ts'

export const otlpTraceId = (): string => crypto.randomUUID().replaceAll('-', '')

/** Sends ended spans of one trace. */
export async function sendSpans(
  { send }: TestApp,
  workspace: TestWorkspace,
  traceId: string,
  spans: readonly { spanId: string; parentSpanId?: string; name: string; attributes?: object[] }[],
): Promise<void> {
  const times = {
    startTimeUnixNano: `${Date.now()}000000`,
    endTimeUnixNano: `${Date.now() + 1}000000`,
  }
  const response = await send({
    method: 'POST',
    url: '/v1/traces',
    headers: { authorization: `Bearer ${workspace.key.secret}` },
    payload: {
      resourceSpans: [{ scopeSpans: [{ spans: spans.map((span) => ({ traceId, ...times, ...span })) }] }],
    },
  })
  assert.equal(response.status, 200, response.text)
}
