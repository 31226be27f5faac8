import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What a start with these settings says before it ends with 1. */
function failedStart(settings: Record<string, string>): string {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      ...hostEnvironment,
      PORT: '0',
      OTLP_GRPC_PORT: '0',
      HOST: '127.0.0.1',
      PLUMBLINE_DATA_DIR: folder,
      LOG_LEVEL: 'error',
      ...settings,
    },
    encoding: 'utf8',
  })
  assert.equal(status, 1, stderr)
  return stderr
}

it('a start without PostgreSQL names the setting, the host and the cause, and no password', () => {
  const text = failedStart({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/db' })
  assert.match(
    text,
    /^Plumbline cannot start\.\nDATABASE_URL: PostgreSQL at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\.\n$/,
  )
  assert.ok(!text.includes('secret'))
})

it('a start without ClickHouse names the setting, the host and the cause', () => {
  const text = failedStart({ CLICKHOUSE_URL: 'http://user:secret@127.0.0.1:1' })
  assert.match(
    text,
    /\nCLICKHOUSE_URL: ClickHouse at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\.\n$/,
  )
  assert.ok(!text.includes('secret'))
})

it('a start on a port in use names the port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const text = failedStart({ PORT: port })
  assert.match(
    text,
    new RegExp(`\\nPORT: the address 127\\.0\\.0\\.1:${port} is in use by another process\\.\\n$`),
  )
  other.close()
})

it('a start on an old Node names the version that it needs', () => {
  const old =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })'
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(old)}`,
      join(import.meta.dirname, '../../start.mjs'),
    ],
    { env: hostEnvironment, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stderr, /^Plumbline cannot start\.\nNode 20\.19\.0 is too old: it needs Node 24 or newer\./)
})
