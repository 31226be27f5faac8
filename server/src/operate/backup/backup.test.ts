import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations, type Scope } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
import { makeFeature, startTestApp } from '../../../testing/test-app.ts'
import { hashSecret, makeSecret, shownPrefix } from '../../accounts/keys/secret.ts'

const presetKey = 'pl_key_of_the_first_workspace'
const { app, send, dataFolder, newWorkspace } = await startTestApp({
  settings: { PLUMBLINE_API_KEY: presetKey },
})
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A key of the first workspace. */
async function newFirstKey(scopes: readonly Scope[]): Promise<string> {
  const secret = makeSecret()
  const key = { name: 'Test', hash: hashSecret(secret), prefix: shownPrefix(secret), scopes }
  await app.control.scopedTo({ workspaceId: defaultWorkspaceId }).apiKeys.create(key, new Date())
  return secret
}

const backUp = (key?: string) =>
  send({
    method: 'POST',
    url: '/backup',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  })

describe('POST /backup', () => {
  it('200: is a tar archive of the data directory, whose first entry lists its contents', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await workspace.ok(operations.monitor.trace, { name: 'kept' })
    const { status, headers, bytes } = await backUp(presetKey)
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-tar'])
    const archive = join(folder, 'backup.tar')
    writeFileSync(archive, bytes)
    execFileSync('tar', ['-xf', archive, '-C', folder])
    const readEntry = (name: string) =>
      JSON.parse(execFileSync('tar', ['-xOf', archive, name], { encoding: 'utf8' })) as Record<
        string,
        unknown
      >
    const { files } = readEntry('checksums.json') as { files: Record<string, string> }
    const isOnPostgres = hostEnvironment.PLUMBLINE_TEST_CONTROL === 'PostgreSQL'
    assert.equal('control.db' in files, !isOnPostgres)
    assert.deepEqual(
      readEntry('backup.json').elsewhere,
      isOnPostgres ? ['the control plane (PostgreSQL)'] : [],
    )
    assert.ok('traces' in Object.fromEntries(readdirSync(folder).map((name) => [name, true])))
    const sums = Object.entries(files).map(([path, sum]) => `${sum}  ${path}\n`)
    assert.ok(sums.length > 1)
    execFileSync('sha256sum', ['--check', '--strict', '--quiet'], { cwd: folder, input: sums.join('') })
    assert.equal(readdirSync(dataFolder).includes('snapshot'), false)
  })

  it('200: can be repeated, and the service stores what it accepted in the meantime', async () => {
    assert.equal((await backUp(presetKey)).status, 200)
    await app.flush()
  })

  it('200: also after a backup whose snapshot could not be removed', async (context) => {
    const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    context.mock.method(fs, 'rm', () => Promise.reject(error))
    syncBuiltinESMExports()
    try {
      assert.ok((await backUp(presetKey)).status >= 500)
    } finally {
      context.mock.restoreAll()
      syncBuiltinESMExports()
    }
    assert.equal((await backUp(presetKey)).status, 200)
  })

  it('401: without a key', async () => {
    assert.equal((await backUp()).status, 401)
  })

  it('403: with a key of another workspace, whatever its scopes', async () => {
    const workspace = await newWorkspace()
    const { status, text } = await backUp(workspace.key.secret)
    assert.equal(status, 403)
    assert.match(text, /every workspace/)
  })

  it('403: H1: with a key of the first workspace that has every scope but operate', async () => {
    const { status, text } = await backUp(await newFirstKey(['ingest', 'read', 'manage']))
    assert.equal(status, 403)
    assert.match(text, /\\"operate\\", which only an owner can create/)
  })

  it('200: H1: with only the scope operate', async () => {
    assert.equal((await backUp(await newFirstKey(['operate']))).status, 200)
  })

  it('503: while another backup is running', async () => {
    const answers = await Promise.all([backUp(presetKey), backUp(presetKey)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 503])
  })
})
