import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snippetIds } from './snippet-ids.ts'
import { snippetsOf } from './snippets.ts'

const to = {
  url: 'https://plumbline.example',
  otlpHttp: 'https://plumbline.example',
  otlpGrpc: 'http://plumbline.example:4317',
}

test('every snippet has the key and the address in it', () => {
  const snippets = snippetsOf(to, 'pl_secret')
  assert.deepEqual(
    snippets.map(({ id }) => id),
    snippetIds,
  )
  for (const { id, blocks } of snippets) {
    const text = blocks.map(({ code }) => code).join('\n')
    assert.ok(text.includes('pl_secret') && text.includes('https://plumbline.example'), id)
  }
})

test('gRPC is shown where the service listens for it', () => {
  const hasGrpc = (otlpGrpc: string | null): boolean =>
    JSON.stringify(snippetsOf({ ...to, otlpGrpc }, 'k')).includes('OTLP_PROTOCOL=grpc')
  assert.deepEqual([hasGrpc(to.otlpGrpc), hasGrpc(null)], [true, false])
})
