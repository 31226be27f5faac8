/** The real service for tests of the client, and a proxy in front of it that fails on demand. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import type { startTestApp, TestWorkspace } from '../../server/testing/test-app.ts'

export interface Service {
  readonly url: string
  readonly workspace: TestWorkspace
}

/** Starts the service in this process, with a workspace. Loaded on demand, since tests that spawn a service do not need it. */
export async function startService(parts?: Parameters<typeof startTestApp>[0]): Promise<Service> {
  const { startTestApp } = await import('../../server/testing/test-app.ts')
  const test = await startTestApp(parts)
  return { url: await test.listen(), workspace: await test.newWorkspace() }
}

export const testKey = 'pl_sdk_test_key_0123456789'

/** Starts the service as a process of its own on a folder and a port, so that it can be killed and restarted on both. */
export async function spawnService(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const main = join(import.meta.dirname, '../../server/src/main.ts')
  const child = spawn(process.execPath, [main], {
    env: {
      ...hostEnvironment,
      HOST: '127.0.0.1',
      PORT: String(port),
      OTLP_GRPC_PORT: '0',
      PLUMBLINE_DATA_DIR: folder,
      PLUMBLINE_API_KEY: testKey,
      LOG_LEVEL: 'error',
      UV_THREADPOOL_SIZE: '16',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  // The startup banner is printed once the service listens.
  await once(child.stdout!, 'data')
  child.stdout!.resume()
  return child
}

/** Decides what happens to one request; `forward` sends it to the service and returns the response. */
export type Fate = (response: ServerResponse, forward: () => Promise<Response>) => Promise<void> | void

export const fates = {
  /** The response of the service. */
  pass: async (response, forward) => {
    const answer = await forward()
    const headers = [...answer.headers].filter(([name]) => !connectionHeaders.has(name))
    response.writeHead(answer.status, Object.fromEntries(headers))
    response.end(new Uint8Array(await answer.arrayBuffer()))
  },
  /** The service accepts the request, but its response is lost. */
  loseAnswer: async (response, forward) => {
    await (await forward()).arrayBuffer()
    response.destroy()
  },
  /** The connection breaks before the service gets the request. */
  breakOff: (response) => void response.destroy(),
  /** The response never comes. */
  hang: () => {},
  /** The response begins but never ends. */
  stall: (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{"trace":'),
} as const satisfies Record<string, Fate>

/** A response that does not come from the service. */
export const answerWith =
  (status: number, body: string, headers: Record<string, string> = {}): Fate =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

/** `fetch` has already decoded the body. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'content-encoding',
  'content-length',
  'transfer-encoding',
])

export interface FaultyProxy {
  readonly url: string
  /** What happens to requests from now on: to the next ones, each of `first` in turn; to all others, `rest`. */
  fate(rest: Fate, ...first: Fate[]): void
  /** All requests so far. */
  readonly requests: readonly {
    readonly path: string
    readonly key: string | undefined
    readonly atMs: number
  }[]
}

export async function startProxy(target: string): Promise<FaultyProxy> {
  let rest: Fate = fates.pass
  let first: Fate[] = []
  const requests: { path: string; key: string | undefined; atMs: number }[] = []
  const server = createServer(async (request, response) => {
    const key = request.headers['idempotency-key'] as string | undefined
    requests.push({ path: request.url ?? '', key, atMs: Date.now() })
    const body = await bytesOf(request)
    const fate = first.shift() ?? rest
    await fate(response, () => forward(target, request, body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fate(nextRest, ...nextFirst) {
      rest = nextRest
      first = nextFirst
    },
    requests,
  }
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new Uint8Array(Buffer.concat(chunks))
}

function forward(target: string, request: IncomingMessage, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers = Object.entries(request.headers).filter(
    ([name]) => !connectionHeaders.has(name) && name !== 'host',
  )
  return fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  })
}
