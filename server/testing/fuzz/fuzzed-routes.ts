/** Routes that accept a body and are no JSON operation, each with a complete body to be malformed. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { operations } from '@plumbline/contract'
import { jsonExport, jsonSpan } from '../otlp-export.ts'
import type { TestWorkspace } from '../test-app.ts'
import type { FuzzedRoute } from './fuzzer.ts'

export async function fuzzedRoutes(workspace: TestWorkspace): Promise<FuzzedRoute[]> {
  const authorization = `Bearer ${workspace.key.secret}`
  const bundle = Buffer.from((await workspace.call(operations.exchange.export)).text)
  const spans = JSON.stringify(jsonExport([jsonSpan({ traceId: '1'.repeat(32), spanId: '2'.repeat(16) })]))
  const uploads = await Promise.all(
    Array.from({ length: 5 }, () =>
      workspace.ok(operations.files.sign, { fileName: 'a.png', contentType: 'image/png' }),
    ),
  )
  const stream = (method: string, url: string, type: string, body: Buffer): FuzzedRoute => ({
    class: 'stream',
    method,
    url,
    headers: { authorization, 'content-type': type },
    body,
  })
  const json = 'application/json'
  const signingIn = (url: string, fields: object): FuzzedRoute => ({
    class: 'sign-in',
    method: 'POST',
    url,
    headers: { 'content-type': json, 'sec-fetch-site': 'same-origin' },
    body: Buffer.from(JSON.stringify(fields)),
  })
  const person = { email: 'ada@example.com', password: 'correct horse battery' }
  return [
    stream('POST', '/import', 'application/x-ndjson', bundle),
    stream('POST', '/import', 'application/gzip', gzipSync(bundle)),
    stream('POST', '/v1/traces', json, Buffer.from(spans)),
    stream('POST', '/', json, Buffer.from(spans)),
    // ResourceSpans, ScopeSpans and a span with a name, in protobuf.
    stream('POST', '/v1/traces', 'application/x-protobuf', Buffer.from('0a0a1208120612042a020861', 'hex')),
    stream('POST', '/backup', json, Buffer.alloc(0)),
    {
      ...stream('POST', '/mcp', json, Buffer.from('{"jsonrpc":"2.0","method":"tools/list","id":1}')),
      headers: { authorization, 'content-type': json, accept: 'application/json, text/event-stream' },
    },
    ...uploads.map(({ uploadUrl }) => {
      const { pathname, search } = new URL(uploadUrl)
      return stream('PUT', pathname + search, 'image/png', Buffer.alloc(2000, 1))
    }),
    signingIn('/auth/sign-in/email', person),
    signingIn('/auth/join', { token: randomUUID(), name: 'Ada', password: person.password }),
    signingIn('/auth/reset-password', { token: randomUUID(), password: person.password }),
    signingIn('/auth/set-up', { token: randomUUID(), name: 'Ada', ...person }),
  ]
}
