// One control plane is enough: this is about files, not about what is stored.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { errorOf, startTestApp } from '../../testing/test-app.ts'

const parent = mkdtempSync(join(tmpdir(), 'plumbline-'))
const pageFolder = join(parent, 'dist')
after(() => rmSync(parent, { recursive: true, force: true }))
const { send } = await startTestApp({ pageFolder })

const get = (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers })

describe('the web app', () => {
  it('says how to build it while it is missing', async () => {
    const answer = await get('/app/')
    assert.equal(answer.status, 503)
    assert.match(answer.text, /npm run build/)
  })

  it('is index.html at every URL that is not a file', async () => {
    mkdirSync(join(pageFolder, 'assets'), { recursive: true })
    writeFileSync(join(parent, 'secret.txt'), 'secret')
    writeFileSync(join(pageFolder, 'index.html'), '<!doctype html>')
    writeFileSync(join(pageFolder, 'assets', 'app-1a2b.js'), 'plain')
    writeFileSync(join(pageFolder, 'assets', 'app-1a2b.js.br'), 'brotli')
    writeFileSync(join(pageFolder, 'assets', 'app-1a2b.js.gz'), 'gzip')
    const urls = [
      '/app/',
      '/app/traces',
      '/app/traces/a.b',
      '/app/prompts/x?tag=y',
      '/app/..%2fsecret.txt',
      '/app/assets/..%2f..%2fsecret.txt',
    ]
    for (const url of urls) {
      const answer = await get(url)
      assert.deepEqual([answer.status, answer.text], [200, '<!doctype html>'], url)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-cache')
    }
    const { status, headers } = await get('/app')
    assert.deepEqual([status, headers.location], [302, '/app/'])
    const head = await send({ method: 'HEAD', url: '/app/' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  it('allows only its own scripts, requests and frames', async () => {
    const { headers } = await get('/app/')
    const policy = Object.fromEntries(
      (headers['content-security-policy'] ?? '').split('; ').map((each) => [each.split(' ')[0], each]),
    )
    assert.equal(policy['default-src'], "default-src 'self'")
    assert.equal(policy['script-src'], "script-src 'self'")
    assert.equal(policy['img-src'], "img-src 'self' data: blob:")
    assert.equal(policy['media-src'], "media-src 'self' data:")
    assert.equal(policy['frame-ancestors'], "frame-ancestors 'none'")
    assert.equal(policy['base-uri'], "base-uri 'none'")
    assert.equal(policy['object-src'], "object-src 'none'")
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  })

  it('serves files with a hash in their name as immutable, in a compression that the browser accepts', async () => {
    const url = '/app/assets/app-1a2b.js'
    const cases: [acceptEncoding: string, encoding: string | undefined, text: string][] = [
      ['gzip, deflate, br', 'br', 'brotli'],
      ['gzip', 'gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip', 'gzip'],
      ['', undefined, 'plain'],
    ]
    for (const [accepted, encoding, text] of cases) {
      const answer = await get(url, { 'accept-encoding': accepted })
      assert.deepEqual(
        [answer.status, answer.headers['content-encoding'], answer.text],
        [200, encoding, text],
      )
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(answer.headers.vary, 'accept-encoding')
      const again = await get(url, {
        'accept-encoding': accepted,
        'if-none-match': answer.headers.etag ?? '',
      })
      assert.deepEqual([again.status, again.text], [304, ''])
    }
  })

  it('404: has no file that was not built', async () => {
    const answer = await get('/app/assets/app-0000.js')
    assert.equal(answer.status, 404)
    errorOf(answer)
  })
})
