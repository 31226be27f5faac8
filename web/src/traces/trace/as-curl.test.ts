import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredLog } from '@plumbline/sdk'
import { curlOfCall, curlOfTrace } from './as-curl.ts'

const generation: StoredLog = {
  id: 'g',
  type: 'generation',
  name: null,
  parentId: null,
  startTime: null,
  endTime: null,
  metadata: { temperature: 0, region: 'eu' },
  input: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: "What's `id`?\n$(rm -rf /)" },
  ],
  output: null,
  idealOutput: null,
  evaluators: null,
  model: 'gpt-4o',
  provider: 'open-ai',
}

it('a command that reads a trace leaves the key to the environment', () => {
  assert.equal(
    curlOfTrace('https://p.example', 'abc'),
    `curl 'https://p.example/monitor/traces/abc' \\\n  -H "authorization: Bearer $PLUMBLINE_API_KEY"`,
  )
})

it('a call is repeated with its parameters, and a shell expands nothing in its text', () => {
  const command = curlOfCall(generation) ?? ''
  assert.match(command, /^curl 'https:\/\/api\.openai\.com\/v1\/chat\/completions'/)
  assert.match(command, /What'\\''s `id`/)
  const body = JSON.parse((/-d '([\s\S]*)'$/.exec(command)?.[1] ?? '').replaceAll(`'\\''`, "'"))
  assert.deepEqual(body, { model: 'gpt-4o', temperature: 0, messages: generation.input })
})

it('Anthropic is sent the system text beside the messages', () => {
  const command = curlOfCall({ ...generation, provider: 'anthropic', model: 'claude-sonnet-4-5' }) ?? ''
  assert.match(command, /"system": "Be short\."/)
  assert.match(command, /"max_tokens": 4096/)
  assert.doesNotMatch(command, /"role": "system"/)
})

it('there is no command for an unknown provider or input format', () => {
  assert.equal(curlOfCall({ ...generation, provider: 'acme' }), undefined)
  assert.equal(curlOfCall({ ...generation, input: 'Hello' }), undefined)
  assert.equal(curlOfCall({ ...generation, type: 'tool' }), undefined)
})
