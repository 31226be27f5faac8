import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snippetIds } from './snippet-ids.ts'
import { snippetsOf } from './snippets.ts'

const to = {
  url: 'https://plumbline.example',
  otlpHttp: 'https://plumbline.example',
  otlpGrpc: 'http://plumbline.example:4317',
}

test('every snippet contains the key and the URL', () => {
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

test('gRPC is shown if the service listens for it', () => {
  const hasGrpc = (otlpGrpc: string | null): boolean =>
    JSON.stringify(snippetsOf({ ...to, otlpGrpc }, 'k')).includes('OTLP_PROTOCOL=grpc')
  assert.deepEqual([hasGrpc(to.otlpGrpc), hasGrpc(null)], [true, false])
})

test('the clients are installed from the service itself', () => {
  const code = (snippet: string): string =>
    snippetsOf(to, 'k').find(({ id }) => id === snippet)!.blocks[0]!.code
  assert.match(
    code('python'),
    /^pip install https:\/\/plumbline\.example\/packages\/plumbline-\d+\.\d+\.\d+[\w.-]*-py3-none-any\.whl$/,
  )
  for (const id of ['langchain', 'openai-agents', 'pydantic-ai', 'litellm'])
    assert.match(code(id), /^pip install https:.*\.whl ["\w]/)
  for (const id of ['typescript', 'openai', 'ai-sdk'])
    assert.ok(code(id).startsWith('npm install https://plumbline.example/packages/sdk.tgz'), id)
})
