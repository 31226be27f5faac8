// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { allOperations, operations, pathFields } from '@plumbline/contract'
import { makeLivePrompt, startTestApp } from '../../testing/test-app.ts'
import { describeError } from '../process/describe-error.ts'

const { newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_PUBLIC_URL: 'https://plumbline.example.com' },
})

const onEvery = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
}

describe('headers of every response (L4)', () => {
  it('forbid scripts, framing, type sniffing and caching, for every operation and status', async () => {
    const workspace = await newWorkspace()
    for (const operation of allOperations) {
      const input = Object.fromEntries(pathFields(operation.path).map((field) => [field, 'nothing']))
      for (const options of [{}, { key: null }]) {
        const { headers, status } = await workspace.call(operation, input, options)
        for (const [name, value] of Object.entries(onEvery))
          assert.equal(headers[name], value, operation.name)
        assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; frame-ancestors 'none'/)
        assert.match(
          headers['cache-control'] ?? '',
          status === 200 ? /^(?:no-store|private, no-cache)$/ : /^no-store$/,
        )
      }
    }
  })

  it('are present on routes that are not operations', async () => {
    for (const url of [
      '/session',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/nowhere',
      '/%',
      '/docs/',
      '/',
    ])
      for (const [name, value] of Object.entries(onEvery)) {
        const { headers } = await send({ method: 'GET', url })
        assert.equal(headers[name], value, `${url} ${name}`)
        assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/, url)
      }
  })

  it('allow caching with an ETag if the client revalidates', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    const { headers } = await workspace.call(operations.prompts.get, { slug: 'greeting' })
    assert.deepEqual([headers['cache-control'], headers.etag !== undefined], ['private, no-cache', true])
  })

  it('allow the reference to run only its own scripts', async () => {
    const { headers, text } = await send({ method: 'GET', url: '/docs/' })
    const [, script = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(text) ?? []
    assert.ok(
      headers['content-security-policy']?.includes(
        `script-src 'self' 'sha256-${hash('sha256', script, 'base64')}';`,
      ),
    )
  })
})

describe('a failure of ours in the log (L10)', () => {
  it('does not quote the stored data that could not be read', () => {
    const error = catchError(() => JSON.parse('card 4111 of Ada'))
    assert.match(error.message, /4111/, 'the parser quotes what it reads')
    const described = JSON.stringify(describeError(new Error('The row is bad.', { cause: error })))
    assert.match(described, /SyntaxError/)
    assert.match(described, /at JSON\.parse/)
    assert.doesNotMatch(described, /4111|Ada/)
  })
})

function catchError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  assert.fail('It did not throw.')
}
