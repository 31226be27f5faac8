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
import { startTestApp } from '../../../testing/test-app.ts'

const { delete: revoke, list } = operations.keys

const database = await emptyDatabase()
const url = 'url' in database.location ? database.location.url : ''
const { newWorkspace, close } = await startTestApp({ settings: { DATABASE_URL: url } })
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
  const child = spawn(process.execPath, [main], {
    env: {
      ...hostEnvironment,
      DATABASE_URL: url,
      PLUMBLINE_DATA_DIR: folder,
      PORT: '0',
      OTLP_GRPC_PORT: '0',
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
    address,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

describe('keys.delete', () => {
  it('204: revokes a key at once here, and within five seconds on a node that has cached it', async () => {
    const workspace = await newWorkspace()
    const { id, secret } = await workspace.newKey(['read'])
    const address = await node.address
    const statusThere = async () =>
      (await fetch(`${address}/features`, { headers: { authorization: `Bearer ${secret}` } })).status
    await workspace.ok(list, {}, { key: secret })
    assert.equal(await statusThere(), 200)
    const answer = await workspace.call(revoke, { id })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(await workspace.refused(list, {}, 401, { key: secret }), 'This API key has been revoked.')
    await eventually(async () => assert.equal(await statusThere(), 401))
  })

  it('204: answers the same for a key that was already revoked, and a key may revoke itself', async () => {
    const workspace = await newWorkspace()
    const { id, secret } = await workspace.newKey(['manage'])
    await workspace.ok(revoke, { id }, { key: secret })
    await workspace.refused(list, {}, 401, { key: secret })
    await workspace.ok(revoke, { id })
  })

  it('404: the key does not exist, or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    for (const id of ['nobody', other.key.id])
      assert.equal(await workspace.refused(revoke, { id }, 404), `No API key has the id "${id}".`)
    await other.ok(list)
  })
})
