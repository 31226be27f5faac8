// One control plane is enough: this is about files, not about what is stored.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startTestApp } from '../../../testing/test-app.ts'

const parent = mkdtempSync(join(tmpdir(), 'plumbline-'))
const pageFolder = join(parent, 'dist')
after(() => rmSync(parent, { recursive: true, force: true }))
const { send } = await startTestApp({ pageFolder })
const get = (url: string) => send({ method: 'GET', url })

describe('the help', () => {
  it('comes with build instructions while it is missing', async () => {
    const { status, text } = await get('/help/')
    assert.equal(status, 503)
    assert.match(text, /npm run build/)
  })

  it('is served as pages without a key, which load nothing from elsewhere, and nothing outside its folder', async () => {
    mkdirSync(join(pageFolder, 'help'), { recursive: true })
    writeFileSync(join(pageFolder, 'help/index.html'), '<h1>Help</h1>')
    writeFileSync(join(pageFolder, 'help/sdk.html'), '<h1>SDK</h1>')
    writeFileSync(join(pageFolder, 'secret.html'), 'secret')
    assert.equal((await get('/help')).headers.location, '/help/')
    const home = await get('/help/')
    assert.deepEqual([home.status, home.text], [200, '<h1>Help</h1>'])
    assert.match(String(home.headers['content-security-policy']), /default-src 'self'/)
    assert.equal((await get('/help/sdk.html')).text, '<h1>SDK</h1>')
    for (const path of ['none.html', '..%2fsecret.html', '../secret.html'])
      assert.equal((await get(`/help/${path}`)).status, 404, path)
  })
})
