import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { type Running, startServer } from '../../../testing/server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
let server: Running | undefined
const modeOf = (path: string): number => statSync(path).mode & 0o777
after(async () => {
  await server?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const apiKey = 'pl_test_key_0123456789'

/** Every path in a folder that other users may read, write or enter. */
const openPaths = (path: string): string[] =>
  ['', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]
    // The trace store may have merged a file away in the meantime.
    .map((each) => ({ path: each, mode: statSync(join(path, each), { throwIfNoEntry: false })?.mode ?? 0 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map((each) => `${each.path} ${each.mode.toString(8)}`)

async function call<Body>(url: string, path: string, body: object): Promise<Body> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.ok(response.ok, text)
  // Safe: the caller names the type of the operation's response.
  return JSON.parse(text) as Body
}

it('L3: other users cannot read stored data, whatever the folder permissions were', async () => {
  const data = join(folder, 'data')
  mkdirSync(join(data, 'files'), { recursive: true })
  writeFileSync(join(data, 'files', 'left.txt'), 'left by an earlier version')
  writeFileSync(join(data, 'price-list-2026-01-01-0.json'), '{}')
  for (const path of [data, join(data, 'files')]) chmodSync(path, 0o755)
  chmodSync(join(data, 'price-list-2026-01-01-0.json'), 0o644)
  const umask = process.umask(0)
  server = startServer(data, apiKey)
  process.umask(umask)
  const url = await server.url
  await call(url, '/monitor/trace', { name: 'private' })
  const file = { fileName: 'a.txt', contentType: 'text/plain' }
  const { uploadUrl } = await call<{ uploadUrl: string }>(url, '/files/generate-upload-url', file)
  const headers = { 'content-type': 'text/plain' }
  assert.ok((await fetch(uploadUrl, { method: 'PUT', headers, body: 'The bytes.' })).ok)
  // A snapshot is taken and removed; the archive is read to its end.
  const backup = await fetch(`${url}/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  assert.ok((await backup.bytes()).length > 0)
  const names = readdirSync(data)
  for (const name of ['control.db', 'control.db-wal', 'spool', 'traces', 'files', 'secret.key'])
    assert.ok(names.includes(name), `${name} is not there`)
  const leftInside = (path: string): boolean => path.startsWith('files/left.txt')
  assert.deepEqual(
    openPaths(data).filter((path) => !leftInside(path)),
    [],
  )
  assert.equal(await server.stop('SIGTERM'), 0)
  assert.deepEqual(
    openPaths(data).filter((path) => !leftInside(path)),
    [],
  )
})

it('leaves other entries of the folder as they are, and leaves them out of backups', async () => {
  const home = join(folder, 'home')
  const others = { '.ssh': 0o755, 'notes.txt': 0o644, public: 0o755 }
  for (const [name, mode] of Object.entries(others)) {
    if (name.endsWith('.txt')) writeFileSync(join(home, name), 'mine')
    else mkdirSync(join(home, name), { recursive: true })
    chmodSync(join(home, name), mode)
  }
  chmodSync(home, 0o755)
  server = startServer(home, apiKey)
  const url = await server.url
  const backup = await fetch(`${url}/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const bytes = Buffer.from(await backup.arrayBuffer())
  assert.ok(bytes.includes('control.db') && !bytes.includes('notes.txt'))
  assert.equal(await server.stop('SIGTERM'), 0)
  assert.equal(modeOf(home), 0o755)
  for (const name of readdirSync(home)) {
    const path = join(home, name)
    const own = statSync(path).isDirectory() ? 0o700 : 0o600
    assert.equal(modeOf(path), name in others ? others[name as keyof typeof others] : own, name)
  }
})
