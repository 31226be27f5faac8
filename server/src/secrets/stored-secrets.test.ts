/** What the control plane and a backup contain of secrets: nothing usable. */
// One control plane is enough: both engines have the same columns, and SQLite's file can be read here.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { allOperations, operations } from '@plumbline/contract'
import { startTestApp } from '../../testing/test-app.ts'
import { readCookies, sessionCookieName } from '../accounts/people/session-cookie.ts'
import { deriveKey, labels } from './derive-key.ts'
import { readSecretFile } from './secret-file.ts'

const presetKey = 'pl_key_of_the_operator_0123456789'
const password = 'correct horse'
const { app, dataFolder, newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_API_KEY: presetKey, PLUMBLINE_PRIVATE_CHANNEL_URLS: 'true' },
})

const tokenIn = (url: string): string => new URL(url).searchParams.get('token')!

const post = (url: string, payload: object) =>
  send({ method: 'POST', url, payload, headers: { 'sec-fetch-site': 'same-origin' } })

/** The session token that a response sets. */
function sessionIn(cookies: string | undefined): string {
  const value = readCookies(String(cookies).split(';')[0]!).get(sessionCookieName(false))!
  return value.slice(0, value.lastIndexOf('.'))
}

/** Creates one secret of every kind that the service shows once, all under an Idempotency-Key. */
async function makeSecrets(): Promise<Record<string, string>> {
  const workspace = await newWorkspace()
  const owner = await workspace.signIn('owner')
  const retriable = () => ({ ...owner, headers: { ...owner.headers, 'idempotency-key': randomUUID() } })
  const email = `${randomUUID()}@example.com`
  const key = await workspace.ok(operations.keys.create, { name: 'CI', scopes: ['read'] }, retriable())
  const invitation = await workspace.ok(operations.invitations.create, { email, role: 'viewer' }, retriable())
  const joining = await post('/auth/join', { token: tokenIn(invitation.url), name: 'Ada', password })
  assert.equal(joining.status, 200, joining.text)
  const open = await workspace.ok(
    operations.invitations.create,
    { email: 'later@example.com', role: 'viewer' },
    retriable(),
  )
  const { members } = await workspace.ok(operations.members.list)
  const { id } = members.find((member) => member.email === email)!
  const reset = await workspace.ok(operations.members.reset, { id }, retriable())
  const hook = { name: 'Ours', type: 'webhook', url: 'http://127.0.0.1:2/a-secret-path' }
  const channel = await workspace.ok(operations.channels.create, hook, retriable())
  const rotation = await workspace.ok(operations.channels.rotate, { id: channel.channel.id }, retriable())
  const connection = { name: 'Ours', provider: 'open-ai', apiKey: 'sk-of-a-provider-0123456789', models: [] }
  await workspace.ok(operations.connections.create, connection, retriable())
  const file = { fileName: 'a.txt', contentType: 'text/plain' }
  const upload = await workspace.ok(operations.files.sign, file, retriable())
  return {
    'API key': key.secret,
    'used invitation': tokenIn(invitation.url),
    'open invitation': tokenIn(open.url),
    'link to a new password': tokenIn(reset.url),
    'session of a person who joined': sessionIn(joining.headers['set-cookie']),
    'session of the owner': sessionIn(owner.headers.cookie),
    'link to the set-up': app.setUpToken!,
    'secret of a webhook': channel.secret!,
    'next secret of a webhook': rotation.secret,
    'address of a webhook': 'a-secret-path',
    'key of a connection': connection.apiKey,
    'upload signature': new URL(upload.uploadUrl).searchParams.get('signature') ?? upload.uploadUrl,
    'key of the environment': presetKey,
    password,
    'secret that signs cookies': app.sessionSecret,
  }
}

/** The root secret and the keys derived from it, in every form in which they might be written. */
function installationSecrets(): Record<string, string | Buffer> {
  const rootSecret = readSecretFile(dataFolder)!
  const derived = Object.values(labels)
    .filter((label) => label !== labels.fingerprint)
    .flatMap((label) => {
      const key = deriveKey(rootSecret, label)
      return [
        [label, key],
        [`${label}, base64`, key.toString('base64')],
        [`${label}, hexadecimal`, key.toString('hex')],
      ] as const
    })
  return {
    'root secret': rootSecret,
    'root secret, decoded': Buffer.from(rootSecret, 'base64'),
    ...Object.fromEntries(derived),
  }
}

describe('section 4 and M3: secrets that are shown once', () => {
  it('are in no column of any table', async () => {
    const secrets = { ...installationSecrets(), ...(await makeSecrets()) }
    const database = new DatabaseSync(join(dataFolder, 'control.db'), { readOnly: true })
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const values = tables.flatMap(({ name }) =>
      (database.prepare(`SELECT * FROM "${name}"`).all() as object[]).flatMap((row) =>
        Object.entries(row).map(([column, value]) => ({ place: `${name}.${column}`, value })),
      ),
    )
    database.close()
    assert.ok(values.some(({ place }) => place === 'idempotent_requests.response'))
    for (const [kind, secret] of Object.entries(secrets))
      for (const { place, value } of values)
        assert.ok(!String(value).includes(String(secret)), `${kind} is in ${place}`)
  })

  it('are not in a backup, and neither is what decrypts the encrypted ones', async () => {
    const secrets = { ...installationSecrets(), ...(await makeSecrets()) }
    const headers = { authorization: `Bearer ${presetKey}` }
    const { status, bytes } = await send({ method: 'POST', url: '/backup', headers })
    assert.equal(status, 200)
    assert.ok(readdirSync(dataFolder).includes('secret.key'))
    assert.ok(!bytes.includes('secret.key'))
    for (const [kind, secret] of Object.entries(secrets))
      assert.ok(!bytes.includes(secret), `${kind} is in the backup`)
  })

  it('are in the response to a retry', async () => {
    const workspace = await newWorkspace()
    const options = { headers: { 'idempotency-key': 'again' } }
    const key = { name: 'CI', scopes: ['read'] }
    const first = await workspace.ok(operations.keys.create, key, options)
    assert.deepEqual(await workspace.ok(operations.keys.create, key, options), first)
    const { apiKeys } = await workspace.ok(operations.keys.list)
    assert.equal(apiKeys.filter(({ name }) => name === 'CI').length, 1)
  })

  it('409: are unavailable if the response was encrypted with another secret', async () => {
    const workspace = await newWorkspace()
    const options = { headers: { 'idempotency-key': 'again' } }
    const key = { name: 'CI', scopes: ['read'] }
    await workspace.ok(operations.keys.create, key, options)
    const request = { apiKeyId: workspace.key.id, route: operations.keys.create.name, key: 'again' }
    const { idempotency } = app.control.scopedTo({ workspaceId: workspace.id })
    await idempotency.complete(request, { status: 201, body: 'v1.of-another-secret' })
    const error = await workspace.refused(operations.keys.create, key, 409, options)
    assert.match(error, /^The first request with the Idempotency-Key "again" succeeded/)
  })
})

describe('M3: the contract', () => {
  const secretFields = ['secret', 'token', 'url', 'uploadUrl']
  for (const { name, method, output, secretOutput } of allOperations)
    it(`${name} declares whether its response contains a secret`, () => {
      if (method !== 'POST' || output === null) return
      const { properties = {} } = output as { properties?: object }
      assert.equal(
        secretOutput === true,
        Object.keys(properties).some((field) => secretFields.includes(field)),
      )
    })
})
