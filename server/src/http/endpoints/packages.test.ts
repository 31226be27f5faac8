// One control plane is enough: this is about files, not about what is stored.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { errorOf, startTestApp } from '../../../testing/test-app.ts'

const parent = mkdtempSync(join(tmpdir(), 'plumbline-'))
const pageFolder = join(parent, 'dist')
after(() => rmSync(parent, { recursive: true, force: true }))
const { send } = await startTestApp({ pageFolder })

const wheel = 'plumbline-1.2.3-py3-none-any.whl'
const get = (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers })

describe('the packages that the service offers', () => {
  it('come with build instructions while they are missing', async () => {
    for (const url of ['/packages/', '/packages/sdk.tgz']) {
      const { status, text } = await get(url)
      assert.equal(status, 503)
      assert.match(text, /npm run build/)
    }
  })

  it('are served without a key, with a type that package managers expect', async () => {
    mkdirSync(join(pageFolder, 'packages'), { recursive: true })
    writeFileSync(join(pageFolder, 'packages/sdk.tgz'), 'archive')
    writeFileSync(join(pageFolder, 'packages', wheel), 'wheel')
    writeFileSync(join(pageFolder, 'secret.tgz'), 'secret')
    writeFileSync(join(pageFolder, 'packages/notes.txt'), 'secret')
    for (const [name, type, text] of [
      ['sdk.tgz', 'application/gzip', 'archive'],
      [wheel, 'application/zip', 'wheel'],
    ]) {
      const answer = await get(`/packages/${name}`)
      assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, type, text])
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      const again = await get(`/packages/${name}`, { 'if-none-match': answer.headers.etag! })
      assert.deepEqual([again.status, again.text], [304, ''])
      const head = await send({ method: 'HEAD', url: `/packages/${name}` })
      assert.deepEqual([head.status, head.text], [200, ''])
    }
  })

  it('are listed as links, where pip finds them', async () => {
    const { status, headers, text } = await get('/packages/')
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
    assert.ok(text.includes(`<a href="${wheel}">`) && text.includes('<a href="sdk.tgz">'))
    assert.ok(!text.includes('notes.txt'))
    assert.equal((await get('/packages')).headers.location, '/packages/')
  })

  it('do not include other files of their folder, or of any other', async () => {
    for (const name of ['notes.txt', 'nothing.tgz', '..%2fsecret.tgz']) {
      const answer = await get(`/packages/${name}`)
      assert.equal(answer.status, 404, name)
      assert.ok(errorOf(answer) !== '')
    }
  })
})
