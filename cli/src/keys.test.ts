import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { startService } from '../../sdk/src/testing.ts'
import { makeShell } from './testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)

interface Key {
  readonly id: string
  readonly name: string
  readonly expiresAt?: string
  readonly revokedAt?: string
}

it('a new key works, is listed, and is rejected once it is revoked', async () => {
  const creation = await shell(
    'keys',
    'create',
    'Shop',
    '--scope',
    'read',
    'ingest',
    '--expires',
    '2099-01-31',
  )
  assert.equal(creation.status, 0, creation.stderr)
  const secret = creation.stdout.trim()
  assert.match(secret, /^pl_\S+$/)
  const listed = await makeShell(url, secret)('keys', 'list')
  assert.equal(listed.status, 0)
  assert.match(listed.stdout, /Shop.*expires 2099-01-31/)
  assert.ok(!listed.stdout.includes(secret))
  const { id } = (await shell.json<Key[]>('keys', 'list')).find(({ name }) => name === 'Shop')!
  assert.equal((await shell('keys', 'revoke', id)).status, 0)
  const refused = await makeShell(url, secret)('keys', 'list')
  assert.equal(refused.status, 1)
  assert.equal(
    refused.stderr,
    'This API key has been revoked. Set another key with --key or PLUMBLINE_API_KEY.\n',
  )
})

it('an expiry without an offset is UTC, in any local time zone', async (t) => {
  const zone = hostEnvironment.TZ
  t.after(() => {
    if (zone === undefined) delete hostEnvironment.TZ
    else hostEnvironment.TZ = zone
  })
  hostEnvironment.TZ = 'Pacific/Chatham'
  const creation = ['keys', 'create', 'Till noon', '--scope', 'read', '--expires', '2099-01-31T12:30']
  assert.equal((await shell(...creation)).status, 0)
  const key = (await shell.json<Key[]>('keys', 'list')).find(({ name }) => name === 'Till noon')
  assert.equal(Date.parse(String(key?.expiresAt)), Date.parse('2099-01-31T12:30Z'))
})

it('an error of the service is one sentence and exit status 1', async () => {
  const unknown = await shell('keys', 'revoke', 'nobody')
  assert.deepEqual(unknown, { status: 1, stdout: '', stderr: 'No API key has the id "nobody".\n' })
})

it('incorrect usage has exit status 2, and help 0', async () => {
  for (const words of [
    ['keys', 'create', 'Shop'],
    ['keys', 'create', 'Shop', '--scope', 'all'],
    ['keys', 'create', 'Shop', '--scope', 'read', '--expires', 'soon'],
    ['keys', 'burn'],
    ['keys'],
    ['keys', 'list', '--url', 'localhost'],
  ]) {
    const { status, stdout, stderr } = await shell(...words)
    assert.equal(status, 2, words.join(' '))
    assert.equal(stdout, '')
    assert.notEqual(stderr, '')
  }
  assert.equal(
    (
      await makeShell(url, workspace.key.secret, { settings: { url, key: undefined, environment: {} } })(
        'keys',
        'list',
      )
    ).status,
    2,
  )
  const help = await shell('keys', 'create', '--help')
  assert.equal(help.status, 0)
  assert.match(help.stdout, /Example:/)
})
