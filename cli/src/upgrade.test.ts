import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { it } from 'node:test'
import { emptyFolder, makeShell } from './testing.ts'

const fixtures = resolve(import.meta.dirname, '../../fixtures/data-directory')
const archive = readdirSync(fixtures).find((name) => name.endsWith('.tar.gz'))!
const shell = makeShell('http://127.0.0.1:1', 'none')

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

it('upgrade --check applies the migrations to a copy, prints each with its duration, and leaves the folder unchanged', async () => {
  const parent = emptyFolder()
  const folder = join(parent, 'data')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', join(fixtures, archive), '-C', folder])
  const before = hashOf(join(folder, 'control.db'))

  const { status, stdout, stderr } = await shell('upgrade', '--check', '--data-dir', folder)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^ +\d+\.\d s {2}control plane: \d{4}_\w+\.sql$/m)
  assert.match(stdout, /^ +\d+\.\d s {2}trace store: \d{4}_\w+\.sql$/m)
  assert.match(stdout, /^\d+ migrations pass in \d+\.\d s; \d+ MB before, \d+ MB after\.$/m)

  assert.equal(hashOf(join(folder, 'control.db')), before)
  assert.deepEqual(readdirSync(parent), ['data'])
})

it('upgrade backs up first and prints where, and the backup has the state before the migrations', async () => {
  const parent = emptyFolder()
  const folder = join(parent, 'data')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', join(fixtures, archive), '-C', folder])
  const before = hashOf(join(folder, 'control.db'))

  const { status, stdout, stderr } = await shell('upgrade', '--data-dir', folder)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^\d+ migrations done in /m)
  const [, backup = ''] = /^The stores as they were before are in (.+)\.$/m.exec(stdout) ?? []
  assert.ok(backup.startsWith(`${folder}-before-upgrade-`), stdout)
  assert.equal(hashOf(join(backup, 'control.db')), before)
  assert.deepEqual(
    readdirSync(backup).toSorted(),
    readdirSync(folder).filter((name) => /^(?:control\.db|spool|traces)$/.test(name)),
  )
  assert.notEqual(hashOf(join(folder, 'control.db')), before)

  const again = await shell('upgrade', '--data-dir', folder)
  assert.match(again.stdout, /^Nothing to migrate/)
  assert.equal(readdirSync(parent).length, 2)
})

it('upgrade that cannot copy changes nothing, and leaves no part of a backup', async () => {
  const parent = emptyFolder()
  const folder = join(parent, 'data')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', join(fixtures, archive), '-C', folder])
  // The one entry that cannot be copied.
  execFileSync('mkfifo', [join(folder, 'traces', 'pipe')])
  const before = hashOf(join(folder, 'control.db'))

  const { status, stderr } = await shell('upgrade', '--data-dir', folder)
  assert.equal(status, 1)
  assert.match(stderr, /^The stores cannot be copied to .+, and nothing was changed: .*pipe/)
  assert.equal(hashOf(join(folder, 'control.db')), before)
  assert.deepEqual(readdirSync(parent), ['data'])
})

it('upgrade and verify do not create a mistyped folder', async () => {
  const parent = emptyFolder()
  const missing = join(parent, 'dta')
  const other = join(parent, 'other')
  mkdirSync(other)
  for (const options of [['upgrade', '--check'], ['upgrade'], ['verify']]) {
    const missingRun = await shell(...options, '--data-dir', missing)
    assert.equal(missingRun.status, 1, missingRun.stdout)
    assert.match(missingRun.stderr, /dta does not exist/)
    const otherRun = await shell(...options, '--data-dir', other)
    assert.equal(otherRun.status, 1, otherRun.stdout)
    assert.match(otherRun.stderr, /other contains no Plumbline data/)
  }
  assert.deepEqual(readdirSync(parent), ['other'])
  assert.deepEqual(readdirSync(other), [])
})

it('verify leaves a folder of an earlier version unchanged, and says what to do', async () => {
  const folder = join(emptyFolder(), 'data')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', join(fixtures, archive), '-C', folder])
  const before = hashOf(join(folder, 'control.db'))
  const { status, stderr } = await shell('verify', '--data-dir', folder)
  assert.equal(status, 1)
  assert.match(stderr, /written by an earlier version.*run plumbline upgrade first/)
  assert.equal(hashOf(join(folder, 'control.db')), before)
})

it('upgrade with external stores says what to do instead', async () => {
  const folder = emptyFolder()
  const elsewhere = makeShell('http://127.0.0.1:1', 'none', {
    settings: {
      url: 'http://127.0.0.1:1',
      key: 'none',
      environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    },
  })
  const refused = await elsewhere('upgrade', '--check', '--data-dir', folder)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /DATABASE_URL is set: plumbline upgrade copies only a data directory/)
})
