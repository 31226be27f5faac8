import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startTestApp, type TestPerson } from '../../../testing/test-app.ts'

/** The secret key that both nodes share. */
const secretKey = 'the secret of both nodes, long enough'
const database = await emptyDatabase()
const url = 'url' in database.location ? database.location.url : ''
const { newWorkspace, send, close } = await startTestApp({
  settings: { DATABASE_URL: url, PLUMBLINE_SECRET_KEY: secretKey },
})
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const node = startOtherNode()
after(async () => {
  await node.stop()
  await close()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A second process of the service on the same control plane, since chDB allows only one in this process. */
function startOtherNode() {
  const main = new URL('../../main.ts', import.meta.url).pathname
  const ports = { PORT: '0', OTLP_GRPC_PORT: '0' }
  const child = spawn(process.execPath, [main], {
    env: {
      ...hostEnvironment,
      ...ports,
      DATABASE_URL: url,
      PLUMBLINE_SECRET_KEY: secretKey,
      PLUMBLINE_DATA_DIR: folder,
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      output += text
      const [address] = /http:\/\/localhost:\d+/.exec(output) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`The other node ended with ${code}.`)))
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    async statusOf(path: string, { headers }: TestPerson) {
      return (await fetch(`${await address}${path}`, { headers })).status
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

describe('on another node, which has cached the session', () => {
  it('signing out takes effect within five seconds', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('viewer')
    assert.equal(await node.statusOf('/features', person), 200)
    const { headers } = person
    assert.equal((await send({ method: 'POST', url: '/auth/sign-out', headers, payload: {} })).status, 200)
    await eventually(async () => assert.equal(await node.statusOf('/features', person), 401))
  })

  it('a locked account takes effect within five seconds (M1)', async () => {
    const workspace = await newWorkspace()
    const [operator, person] = [await workspace.signInOperator(), await workspace.signIn('viewer')]
    assert.equal(await node.statusOf('/features', person), 200)
    await workspace.ok(operations.accounts.lock, { id: person.id }, operator)
    await eventually(async () => assert.equal(await node.statusOf('/features', person), 401))
  })

  it('losing a role takes effect within five seconds', async () => {
    const workspace = await newWorkspace()
    const person = await workspace.signIn('admin')
    assert.equal(await node.statusOf('/invitations', person), 200)
    await workspace.ok(operations.members.update, { id: person.id, role: 'viewer' })
    await eventually(async () => assert.equal(await node.statusOf('/invitations', person), 403))
  })
})
