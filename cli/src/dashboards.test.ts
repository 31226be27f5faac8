import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { startService } from '../../sdk/src/testing.ts'
import { makeShell } from './testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)
const dir = mkdtempSync(join(tmpdir(), 'plumbline-dashboards-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const file = join(dir, 'support.json')

it('a dashboard file is created by a push, pulled unchanged, and changed by the next push', async () => {
  const charts = [{ title: 'Cost by customer', measure: 'cost', chart: 'ranking', dimension: 'organization' }]
  writeFileSync(file, JSON.stringify({ slug: 'support', name: 'Support', charts }))
  const tried = await shell('dashboards', 'push', '--dir', dir, '--dry-run')
  assert.deepEqual(tried, { status: 0, stdout: 'support: new\n', stderr: '' })
  assert.deepEqual(await shell.json('dashboards', 'list'), [])
  assert.equal((await shell('dashboards', 'push', '--dir', dir)).stdout, 'support: new\n')
  assert.equal((await shell('dashboards', 'pull', '--dir', dir)).status, 0)
  const pulled = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(Object.keys(pulled), ['slug', 'name', 'description', 'charts'])
  assert.equal(pulled.charts[0].dimension, 'organization')
  assert.equal((await shell('dashboards', 'push', '--dir', dir)).stdout, 'support: no changes\n')
  writeFileSync(file, JSON.stringify({ ...pulled, name: 'Support desk' }))
  assert.equal((await shell('dashboards', 'push', 'support', '--dir', dir)).stdout, 'support: changed\n')
  assert.match((await shell('dashboards', 'list')).stdout, /support\s+Support desk\s+1/)
})

it('an invalid file fails with the invalid field, and an empty folder with one sentence', async () => {
  writeFileSync(file, JSON.stringify({ slug: 'support', name: 'S', charts: [{ title: 'x', measure: 'no' }] }))
  const failed = await shell('dashboards', 'push', '--dir', dir)
  assert.equal(failed.status, 1)
  assert.match(failed.stderr, /^charts\[0\]\./)
  const nowhere = await shell('dashboards', 'push', '--dir', join(dir, 'none'))
  assert.equal(nowhere.status, 1)
  assert.match(nowhere.stderr, /cannot be read/)
})
