/** Several nodes as processes on one PostgreSQL database and one trace store, and a proxy that alternates between them. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engines } from '@plumbline/storage/control/testing'
import { type HttpEngine, startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { type Running, startServer } from './server-process.ts'

export interface SeveralNodes {
  /** The URLs of the nodes, in the order in which they were started. */
  readonly urls: readonly string[]
  /** The database that they share. */
  readonly databaseUrl: string
  /** The secret from which the keys of the installation are derived. */
  readonly secretKey: string
  /** Starts another node, with an empty disk. */
  start(): Promise<string>
  /** Kills a node and deletes its disk. */
  lose(url: string): Promise<void>
  stop(): Promise<void>
}

const secretKey = 'a secret that all nodes of this test share'

/** Starts nodes with optional settings and the given number of trace store shards. */
export async function startSeveralNodes(
  count: number,
  apiKey: string,
  settings: Readonly<Record<string, string>> = {},
  shards = 1,
): Promise<SeveralNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const traceEngines: HttpEngine[] = []
  for (let shard = 0; shard < shards; shard++)
    traceEngines.push(await startHttpEngine(join(folder, `engine-${shard}`)))
  const database = await engines.find(({ name }) => name === 'PostgreSQL')!.emptyPlace()
  if (!('url' in database.location)) throw new Error('PostgreSQL has an address.')
  const databaseUrl = database.location.url
  const nodeSettings = {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: traceEngines.map(({ url }) => url).join(','),
    PLUMBLINE_SECRET_KEY: secretKey,
    ...settings,
  }
  const nodes: { url: string; running: Running; disk: string }[] = []
  let started = 0
  const start = async (): Promise<string> => {
    const disk = join(folder, `node-${started++}`)
    const running = startServer(disk, apiKey, nodeSettings)
    const url = await running.url
    nodes.push({ url, running, disk })
    return url
  }
  // The first node creates the tables and the API key.
  for (let node = 0; node < count; node++) await start()
  return {
    get urls() {
      return nodes.map(({ url }) => url)
    },
    databaseUrl,
    secretKey,
    start,
    async lose(url) {
      const index = nodes.findIndex((node) => node.url === url)
      const [node] = nodes.splice(index, 1)
      await node?.running.stop('SIGKILL')
      rmSync(node?.disk ?? '', { recursive: true, force: true })
    },
    async stop() {
      await Promise.all(nodes.map(({ running: service }) => service.stop('SIGKILL')))
      for (const engine of traceEngines) await engine.stop()
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A proxy that sends each request to the next node, whatever its connection. */
export async function startRoundRobin(
  nodes: Pick<SeveralNodes, 'urls'>,
): Promise<{ url: string; stop: () => void }> {
  let next = 0
  const proxy = createServer((clientRequest, clientResponse) => {
    const { urls } = nodes
    const target = urls[next++ % urls.length]!
    const { method, headers } = clientRequest
    // A connection for each request: a node may close a kept one at the moment it is used again.
    const forwarded = request(
      `${target}${clientRequest.url}`,
      { method, headers, agent: false },
      (answer) => {
        clientResponse.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(clientResponse)
      },
    )
    forwarded.on('error', () => clientResponse.destroy())
    clientResponse.on('error', () => forwarded.destroy())
    clientRequest.pipe(forwarded)
  })
  // For the same reason, the proxy never closes idle connections of its clients.
  proxy.keepAliveTimeout = 0
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
