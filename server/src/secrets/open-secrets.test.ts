import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import { type ControlStore, type NewExperimentRun, openControlStore } from '@plumbline/storage/control'
import { engines, testConnection } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { BadConfiguration } from '../config.ts'
import { deriveKey, labels } from './derive-key.ts'
import { type Keyring, makeKeyring } from './keyring.ts'
import { openSecrets, type Secrets } from './open-secrets.ts'
import { readSecretFile, secretFileIn } from './secret-file.ts'

const now = new Date('2026-03-01T12:00:00Z')
const logger = pino({ level: 'silent' })
const engine = engines.find(({ name }) => name === (hostEnvironment.PLUMBLINE_TEST_CONTROL ?? 'SQLite'))!
const setting = 'a setting of thirty-two characters or more'
const closings: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closings) await close()
})

/** An installation without a secret, with a function to start its nodes. */
async function newInstallation() {
  const place = await engine.emptyPlace()
  const control = await openControlStore(place.location)
  closings.push(async () => {
    await control.close()
    await place.remove()
  })
  const dataFolder = newFolder()
  const start = (
    config: { PLUMBLINE_SECRET_KEY?: string; DATABASE_URL?: string } = {},
    folder = dataFolder,
  ): Promise<Secrets> =>
    openSecrets({
      control,
      config: { PLUMBLINE_SECRET_KEY: undefined, DATABASE_URL: undefined, ...config },
      dataFolder: folder,
      logger,
    })
  return { control, dataFolder, start }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  closings.push(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stores a value of each kind; resolves with a function that reads them with a keyring. */
async function storeSecrets(control: ControlStore, keyring: Keyring) {
  const { id } = await control.createWorkspace({ name: 'Test' })
  const workspace = control.scopedTo({ workspaceId: id })
  const sealedKey = keyring.seal('sk-provider', id)
  await workspace.connections.create(testConnection({ sealedKey }), now)
  const sealed = keyring.seal('https://hooks.example.com', id)
  await workspace.channels.create({ name: 'Ops', type: 'webhook', target: 'hooks', sealed }, now)
  await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
  const sealedHeaders = keyring.seal('{"authorization":"Bearer x"}', id)
  const runId = await workspace.experimentRuns.create(newRun(sealedHeaders), { now, deadlineAt: now })
  return async (opener: Keyring) => {
    const [connection] = await workspace.connections.list(now)
    const [channel] = await workspace.channels.list()
    const run = await workspace.experimentRuns.find(runId)
    return [connection!.sealedKey!, channel!.sealed, run!.sealedHeaders!].map((each) => opener.open(each, id))
  }
}

const newRun = (sealedHeaders: string): NewExperimentRun => ({
  datasetSlug: 'cases',
  datasetVersion: 1,
  target: '{}',
  sealedHeaders,
  connectionId: undefined,
  evaluatorSlugs: [],
  repetitions: 1,
  concurrency: 1,
  spendMax: undefined,
  createdBy: 'somebody',
  experiment: { name: 'Shorter', featureSlug: 'chat' },
  rows: [
    {
      id: 'row',
      position: 0,
      name: undefined,
      values: '{}',
      idealOutput: undefined,
      metadata: undefined,
    },
  ],
})

const texts = ['sk-provider', 'https://hooks.example.com', '{"authorization":"Bearer x"}']
const formerKeyringOf = (secret: string) => makeKeyring(deriveKey(secret, labels.sealing))

describe('section 4: the secret of an installation', () => {
  it('is in a file that only its user can read, and not in the control plane', async () => {
    const { control, dataFolder, start } = await newInstallation()
    const { notices, sessions } = await start()
    assert.equal(statSync(secretFileIn(dataFolder)).mode & 0o777, 0o600)
    const secret = readSecretFile(dataFolder)!
    const fingerprint = await control.findSecret('root fingerprint')
    for (const each of [secret, sessions, deriveKey(secret, labels.sealing).toString('hex')])
      assert.notEqual(fingerprint, each)
    assert.equal(await control.findSecret('sessions'), undefined)
    assert.equal(await control.findSecret('connection keys'), undefined)
    assert.match(notices.join(), /^The secret of this installation is in .*secret\.key/)
    assert.equal((await start()).sessions, sessions)
  })

  it("moves out of an earlier version's control plane, and everything stays readable", async () => {
    const { control, dataFolder, start } = await newInstallation()
    const formerSecret = await control.secret('connection keys', () => 'what an earlier version has made')
    await control.secret('sessions', () => 'what signed cookies')
    const read = await storeSecrets(control, formerKeyringOf(formerSecret))
    const { keyring, notices } = await start()
    assert.deepEqual(await read(keyring), texts)
    assert.deepEqual(
      [await control.findSecret('connection keys'), await control.findSecret('sessions')],
      [undefined, undefined],
    )
    assert.notEqual(readSecretFile(dataFolder), formerSecret)
    await assert.rejects(read(formerKeyringOf(formerSecret)))
    assert.equal(notices.length, 1)
    assert.deepEqual(await read((await start()).keyring), texts)
  })

  it('moves to the setting at once if an earlier version is started with it', async () => {
    const { control, dataFolder, start } = await newInstallation()
    const formerSecret = await control.secret('connection keys', () => 'what an earlier version has made')
    const read = await storeSecrets(control, formerKeyringOf(formerSecret))
    const { keyring, notices } = await start({ PLUMBLINE_SECRET_KEY: setting })
    assert.deepEqual(await read(keyring), texts)
    assert.deepEqual([notices, readSecretFile(dataFolder)], [[], undefined])
  })

  it('still decrypts what an earlier version encrypted with the setting', async () => {
    const { control, start } = await newInstallation()
    const read = await storeSecrets(control, formerKeyringOf(setting))
    const { keyring, notices } = await start({ PLUMBLINE_SECRET_KEY: setting })
    assert.deepEqual(await read(keyring), texts)
    assert.deepEqual(notices, [])
  })

  it('moves from the file to the setting, and the file may then be deleted', async () => {
    const { control, dataFolder, start } = await newInstallation()
    const read = await storeSecrets(control, (await start()).keyring)
    const { keyring, notices } = await start({ PLUMBLINE_SECRET_KEY: setting })
    assert.deepEqual(await read(keyring), texts)
    assert.match(notices.join(), /^PLUMBLINE_SECRET_KEY replaces .* may be deleted\.$/)
    rmSync(secretFileIn(dataFolder))
    const later = await start({ PLUMBLINE_SECRET_KEY: setting })
    assert.deepEqual(await read(later.keyring), texts)
    assert.deepEqual(later.notices, [])
  })

  it('is reported at startup if it is wrong, and the right one decrypts everything again', async () => {
    const { control, start } = await newInstallation()
    const right = { PLUMBLINE_SECRET_KEY: setting }
    const read = await storeSecrets(control, (await start(right)).keyring)
    const { keyring, notices } = await start({ PLUMBLINE_SECRET_KEY: setting.toUpperCase() })
    assert.match(notices[0]!, /^3 stored secrets .* than that of PLUMBLINE_SECRET_KEY: start with the former/)
    await assert.rejects(read(keyring))
    const again = await start(right)
    assert.deepEqual(again.notices, [])
    assert.deepEqual(await read(again.keyring), texts)
  })

  it('may be lost while nothing is encrypted with it: users sign in again', async () => {
    const { dataFolder, start } = await newInstallation()
    await start()
    rmSync(secretFileIn(dataFolder))
    const { notices } = await start()
    assert.match(notices[0]!, /all users have to sign in again/)
    assert.equal((await start()).notices.length, 1)
  })

  it('is refused if the file is damaged, and not created anew', async () => {
    const { dataFolder, start } = await newInstallation()
    await start()
    writeFileSync(secretFileIn(dataFolder), readFileSync(secretFileIn(dataFolder)).subarray(0, 20))
    await assert.rejects(start(), (error) => {
      assert.ok(error instanceof BadConfiguration)
      assert.match(error.message, /secret\.key is damaged.*PLUMBLINE_SECRET_KEY/)
      return true
    })
  })
})

describe('section 4: nodes that share a control plane', () => {
  const shared = { DATABASE_URL: 'postgres://shared' }

  it('are told to use the same setting if their files differ, and do no harm', async () => {
    const { control, start } = await newInstallation()
    const first = await start(shared)
    const read = await storeSecrets(control, first.keyring)
    const second = await start(shared, newFolder())
    assert.match(second.notices[0]!, /Set the same PLUMBLINE_SECRET_KEY on all nodes/)
    await assert.rejects(read(second.keyring))
    // No other node could decrypt it.
    assert.throws(
      () => second.keyring.seal('sk-new', 'one'),
      (error) => error instanceof ServiceError && error.code === 'unavailable',
    )
    const again = await start(shared)
    assert.deepEqual(await read(again.keyring), texts)
    assert.equal(again.sessions, first.sessions)
  })

  it('decrypt everything once all have the setting, whichever starts first', async () => {
    const { control, start } = await newInstallation()
    const read = await storeSecrets(control, (await start(shared)).keyring)
    const config = { ...shared, PLUMBLINE_SECRET_KEY: setting }
    const other = newFolder()
    assert.match((await start(config, other)).notices[0]!, /^3 stored secrets/)
    await start(config)
    const { keyring, notices } = await start(config, other)
    assert.deepEqual(await read(keyring), texts)
    assert.deepEqual(notices, [])
  })
})
