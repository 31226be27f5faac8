/** The service below a path of a host: behind a proxy that passes the path on, and behind one that strips it. */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startPathProxy } from '../../testing/path-proxy.ts'
import { cheapPasswords, makeLivePrompt, startTestApp } from '../../testing/test-app.ts'

const basePath = '/tools/plumbline'
const page =
  '<html data-base-path=""><link href="/app/assets/a.css" /><script src="/app/theme.js"></script></html>'
const pageFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
writeFileSync(join(pageFolder, 'index.html'), page)
writeFileSync(join(pageFolder, 'index.html.br'), 'of the page without a path')

/** Returns the URL where users are sent to sign in. */
const provider = createServer((_request, response) =>
  response.setHeader('content-type', 'application/json').end(
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
  ),
)
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
const address = provider.address()
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
after(() => {
  provider.close()
  rmSync(pageFolder, { recursive: true, force: true })
})

for (const isPassedOn of [true, false])
  describe(`below a path that the proxy ${isPassedOn ? 'passes on' : 'removes'}`, async () => {
    const proxy = await startPathProxy(basePath, { isPassedOn })
    const { url } = proxy
    after(() => proxy.stop())
    const { newWorkspace, listen } = await startTestApp({
      pageFolder,
      passwordHash: cheapPasswords,
      settings: {
        PLUMBLINE_PUBLIC_URL: `${url}/`,
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: 'plumbline',
        OIDC_CLIENT_SECRET: 'a secret',
        OIDC_NAME: 'Example',
      },
    })
    proxy.lead(await listen())
    const workspace = await newWorkspace()
    const headers = {
      authorization: `Bearer ${workspace.key.secret}`,
      'content-type': 'application/json',
      origin: new URL(url).origin,
    }
    const send = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { headers, redirect: 'manual', ...init })
    const post = async <Output>(path: string, body: object): Promise<Output> => {
      const answer = await send(path, { method: 'POST', body: JSON.stringify(body) })
      const text = await answer.text()
      assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
      return JSON.parse(text) as Output
    }

    it('records are accepted by the interface and by OpenTelemetry, and can be read', async () => {
      const { trace } = await post<{ trace: { id: string } }>('/monitor/trace', {
        name: 'below a path',
        logs: [{ id: 'a', type: 'span', input: 'x' }],
      })
      assert.equal((await send(`/monitor/traces/${trace.id}`)).status, 200)
      const span = {
        ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'run', kind: 1 },
        ...{ startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000000` },
      }
      await post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
      assert.equal((await send(`/monitor/traces/${span.traceId}`)).status, 200)
      const urls = (await (await send('/addresses')).json()) as { url: string; otlpHttp: string }
      assert.deepEqual([urls.url, urls.otlpHttp], [url, url])
    })

    it('repeated requests take the fast path, too', async () => {
      await makeLivePrompt(workspace, { text: 'Hi' })
      const first = await send('/prompts/greeting')
      const second = await send('/prompts/greeting')
      assert.deepEqual([first.status, second.status], [200, 200])
      assert.equal(await second.text(), await first.text())
    })

    it('redirects, the web app, the help and the reference stay below the path', async () => {
      for (const [path, location] of [
        ['', '/docs'],
        ['/', '/docs'],
        ['/app', '/app/'],
        ['/help', '/help/'],
        ['/docs', '/docs/'],
        ['/packages', '/packages/'],
      ] as const) {
        const answer = await send(path)
        assert.ok([301, 302].includes(answer.status), `${path}: ${answer.status}`)
        assert.equal(answer.headers.get('location'), basePath + location)
      }
      const app = await send('/app/traces/1', { headers: { 'accept-encoding': 'br' } })
      assert.equal(
        await app.text(),
        page.replace('""', `"${basePath}"`).replaceAll('"/app/', `"${basePath}/app/`),
      )
      assert.match(await (await send('/docs/')).text(), new RegExp(`${basePath}/openapi\\.json`))
      const { servers } = (await (await send('/openapi.json')).json()) as { servers: unknown }
      assert.deepEqual(servers, [{ url: basePath }])
    })

    it('users sign in, with a cookie limited to the path, and through the identity provider', async () => {
      const invited = await post<{ url: string }>('/invitations', { email: 'ada@example.com', role: 'admin' })
      assert.ok(invited.url.startsWith(`${url}/app/join?token=`), invited.url)
      const token = new URL(invited.url).searchParams.get('token')
      const json = { 'content-type': 'application/json', origin: new URL(url).origin }
      const response = await send('/auth/join', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ token, name: 'Ada', password: 'correct horse battery' }),
      })
      assert.equal(response.status, 200, await response.text())
      const [cookie = ''] = response.headers.getSetCookie()
      assert.match(cookie, new RegExp(`; Path=${basePath}(?:;|$)`))
      const session = await send('/session', { headers: { cookie: cookie.split(';')[0]! } })
      assert.equal(session.status, 200, await session.text())
      const social = await send('/auth/sign-in/social', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ provider: 'oidc', callbackURL: `${basePath}/app/` }),
      })
      const { url: elsewhere } = (await social.json()) as { url: string }
      assert.equal(new URL(elsewhere).searchParams.get('redirect_uri'), `${url}/auth/callback/oidc`)
      // Without a code from the provider it redirects to the sign-in page.
      const back = await send('/auth/callback/oidc?state=x&code=y')
      assert.ok(
        back.headers.get('location')?.includes(`${basePath}/app/sign-in`),
        back.headers.get('location') ?? '',
      )
    })

    it('files are uploaded at the URL that is returned, and nothing escapes the path', async () => {
      const signed = await post<{ uploadUrl: string; fileKey: string }>('/files/generate-upload-url', {
        fileName: 'a.txt',
        contentType: 'text/plain',
        sizeBytes: 1,
      })
      assert.ok(signed.uploadUrl.startsWith(`${url}/files/upload/`), signed.uploadUrl)
      const put = await fetch(signed.uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      })
      assert.ok(put.ok, await put.text())
      assert.equal(await (await send(`/files/${signed.fileKey}`)).text(), 'x')
      assert.deepEqual(proxy.foreignPaths, [])
    })
  })
