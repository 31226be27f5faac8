/**
 * Records one load into a new store, merges its parts, and reports their size. A separate process, since the engine
 * allows one store per process.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { captures } from '../../fixtures/captures/captures.ts'
import { readExports } from '../../fixtures/captures/exports.ts'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { openClients } from '../../storage/traces/engine/clients.ts'
import { apiKey } from './metrics.ts'

export type DiskLoad = 'images' | 'traces'

export interface DiskFigures {
  readonly receivedBytes: number
  /** `spans` are the input of assembled OpenTelemetry traces, and are deleted after eight days. */
  readonly tables: readonly { readonly table: string; readonly bytes: number; readonly indexBytes: number }[]
}

interface Body {
  readonly path: string
  readonly contentType: string
  readonly body: Buffer
}

const json = (path: string, value: unknown): Body => ({
  ...{ path, contentType: 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})

/** 48 MB of images of 40 to 400 KB, whose base64 no codec can compress below three quarters, the size of the bytes. */
function* imageBodies(): Generator<Body> {
  for (let index = 0; index < 160; index++) {
    const image = randomBytes(40_000 + ((index * 7919) % 360_000)).toString('base64')
    const content = [
      { type: 'text', text: 'What is in this picture?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
    ]
    yield json('/monitor/trace', {
      name: 'describe a picture',
      logs: [
        { id: 'call', type: 'generation', input: [{ role: 'user', content }], output: 'A cat on a sofa.' },
      ],
    })
  }
}

function* traceBodies(folder: string | undefined): Generator<Body> {
  if (folder !== undefined) {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json')))
      yield json('/monitor/trace', JSON.parse(readFileSync(join(folder, name), 'utf8')))
  } else for (const { name } of captures) yield* readExports(name)
}

const [load, folder] = process.argv.slice(2)
const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
const app = await createApp({
  config: readConfig({ PLUMBLINE_API_KEY: apiKey, PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0' }),
  ...{ dataFolder, logger: pino({ level: 'error' }) },
})
let receivedBytes = 0
for (const { path, contentType, body } of load === 'images' ? imageBodies() : traceBodies(folder)) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': contentType }
  const { statusCode, payload } = await app.server.inject({
    method: 'POST',
    url: path,
    headers,
    payload: body,
  })
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${payload}`)
  receivedBytes += body.length
}
await app.flush()
await app.close()

const clients = openClients({ folder: join(dataFolder, 'traces') })
const tables: { table: string; bytes: number; indexBytes: number }[] = []
for (const table of ['traces', 'logs', 'spans']) {
  await clients.maintain(`OPTIMIZE TABLE ${table} FINAL`)
  const [row] = await clients.read<{ bytes: string; indexBytes: string }>(
    `SELECT toString(sum(bytes_on_disk)) AS bytes, toString(sum(secondary_indices_compressed_bytes)) AS indexBytes
     FROM system.parts WHERE database = currentDatabase() AND active AND table = '${table}'`,
    {},
  )
  tables.push({ table, bytes: Number(row?.bytes), indexBytes: Number(row?.indexBytes) })
}
await clients.close()
process.once('SIGTERM', () => process.exit(0))
process.send?.({ receivedBytes, tables } satisfies DiskFigures)
