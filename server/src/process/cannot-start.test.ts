import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { defaultWorkspaceId, openControlStore } from '@plumbline/storage/control'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { readConfig } from '../config.ts'
import { reasonOf } from './cannot-start.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What a start with these settings prints before it exits with 1. */
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
    // If it does start, it would run forever.
    timeout: 120_000,
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

it('a start on a PostgreSQL role that may not create tables names the setting and the host', () => {
  const denied = Object.assign(new Error('permission denied for schema public'), {
    severity: 'ERROR',
    code: '42501',
  })
  assert.equal(
    reasonOf(denied, readConfig({ DATABASE_URL: 'postgres://user:secret@db.example/plumbline' })),
    'DATABASE_URL: PostgreSQL at db.example cannot be used: permission denied for schema public.',
  )
})

it('a start without ClickHouse names the setting, the host and the cause', () => {
  const text = failedStart({ CLICKHOUSE_URL: 'http://user:secret@127.0.0.1:1' })
  assert.match(
    text,
    /\nCLICKHOUSE_URL: ClickHouse at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\.\n$/,
  )
  assert.ok(!text.includes('secret'))
})

it('a start on a port in use names the port, and creates no key that would never be shown', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const text = failedStart({ PORT: port })
  assert.match(
    text,
    new RegExp(`\\nPORT: the address 127\\.0\\.0\\.1:${port} is in use by another process\\.\\n$`),
  )
  const control = await openControlStore({ file: join(folder, 'control.db') })
  assert.deepEqual(await control.scopedTo({ workspaceId: defaultWorkspaceId }).apiKeys.list(), [])
  await control.close()
  other.close()
})

it('a start in a folder that cannot be created names the setting, the folder and the cause', () => {
  writeFileSync(join(folder, 'file'), '')
  // The parent exists, and yet the system reports that it does not.
  const paths = [...(existsSync('/proc/self') ? ['/proc/plumbline/data'] : []), join(folder, 'file', 'data')]
  for (const path of paths)
    assert.match(
      failedStart({ PLUMBLINE_DATA_DIR: path }),
      new RegExp(`\\nPLUMBLINE_DATA_DIR ${path} cannot be created: \\w+: .+\\.\\n$`),
    )
})

it('a start on a trace store that cannot be opened names the setting and the cause', () => {
  const data = mkdtempSync(join(folder, 'data-'))
  writeFileSync(join(data, 'traces'), 'no folder')
  assert.match(
    failedStart({ PLUMBLINE_DATA_DIR: data }),
    new RegExp(
      `\\nThe trace store in PLUMBLINE_DATA_DIR \\(${data}\\) cannot be opened: EEXIST: .+[^.]\\.\\n$`,
    ),
  )
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

describe('a damaged control plane', () => {
  const pageBytes = 4096
  const makeData = async (): Promise<string> => {
    const data = mkdtempSync(join(folder, 'data-'))
    const control = await openControlStore({ file: join(data, 'control.db') })
    await control.createWorkspace({ name: 'kept' })
    await control.close()
    mkdirSync(join(data, 'traces'))
    writeFileSync(join(data, 'traces', 'status'), '')
    return data
  }

  it('is refused at startup, with its path and the problem (operator review, finding 8)', async () => {
    const data = await makeData()
    const bytes = readFileSync(join(data, 'control.db'))
    // Overwrite whole pages: damage in a page's unused space does no harm.
    for (const share of [0.2, 0.35, 0.5, 0.65, 0.8]) {
      const start = Math.floor((bytes.length * share) / pageBytes) * pageBytes
      bytes.fill(0xff, start, start + pageBytes)
    }
    writeFileSync(join(data, 'control.db'), bytes)
    assert.match(
      failedStart({ PLUMBLINE_DATA_DIR: data }),
      new RegExp(
        `^Plumbline cannot start\\.\nThe control plane in PLUMBLINE_DATA_DIR \\(${data}\\) is damaged: .+\\. Restore a backup`,
      ),
    )
  })

  it('is refused if it is not a database', async () => {
    const data = await makeData()
    writeFileSync(join(data, 'control.db'), 'x'.repeat(8192))
    assert.match(failedStart({ PLUMBLINE_DATA_DIR: data }), /is damaged: file is not a database\./)
  })

  it('is refused if it is missing next to traces, and not created anew', async () => {
    const data = await makeData()
    rmSync(join(data, 'control.db'))
    assert.match(
      failedStart({ PLUMBLINE_DATA_DIR: data }),
      /\nPLUMBLINE_DATA_DIR \S+ has traces, but control\.db, the control plane that they belong to, is missing\. Restore it/,
    )
    assert.equal(existsSync(join(data, 'control.db')), false)
  })
})
