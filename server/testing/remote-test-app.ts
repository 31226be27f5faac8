/**
 * The service of endpoint tests as several nodes behind a proxy: each request of a test goes to another node. Things that
 * tests do without an operation, such as creating workspaces, are done in the database that the nodes share.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ControlStore, openControlStore } from '@plumbline/storage/control'
import { nothingWaits } from '@plumbline/storage/control/testing'
import type { InjectOptions } from 'fastify'
import type { App } from '../src/app.ts'
import { deriveKey, labels } from '../src/secrets/derive-key.ts'
import type { Answer } from './test-app.ts'

/** The addresses of the nodes; `PLUMBLINE_TEST_NODES` contains it as JSON. */
export interface RemoteNodes {
  /** The proxy's URL. */
  readonly url: string
  readonly databaseUrl: string
  readonly secretKey: string
}

export interface RemoteService {
  readonly app: App
  readonly control: ControlStore
  readonly sessionSecret: string
  send(options: InjectOptions): Promise<Answer>
  close(): Promise<void>
}

/** How often the database is polled until everything is drained. */
const pollIntervalMs = 100

export async function connectToNodes({ url, databaseUrl, secretKey }: RemoteNodes): Promise<RemoteService> {
  const control = await openControlStore({ url: databaseUrl })
  // A connection for each request: a kept one may be closed at the moment the next request is sent.
  const agent = new Agent()
  const parts: Partial<App> = { control, flush: () => waitForDrain(databaseUrl) }
  return {
    app: onlyWith(parts),
    control,
    sessionSecret: deriveKey(secretKey, labels.sessions).toString('base64'),
    send: (options) => send(url, agent, options),
    async close() {
      agent.destroy()
      await control.close()
    },
  }
}

/** Resolves once no node has records in the spool, and all spans are in their traces. */
async function waitForDrain(databaseUrl: string): Promise<void> {
  while (!(await nothingWaits(databaseUrl))) await pause(pollIntervalMs)
}

async function send(baseUrl: string, agent: Agent, options: InjectOptions): Promise<Answer> {
  const { method = 'GET', url = options.path, payload = options.body, headers = {} } = options
  const body =
    payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)
      ? payload
      : JSON.stringify(payload)
  const isJson = body !== undefined && body !== payload
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      baseUrl + String(url),
      {
        agent,
        method,
        headers: {
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...(headers as Record<string, string>),
        },
      },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
  const bytes = await buffer(response)
  // Safe: no route sends a header twice.
  const answered = response.headers as Answer['headers']
  return { status: response.statusCode ?? 0, headers: answered, text: bytes.toString(), bytes }
}

/** Safe: a test that uses another part of the service, which runs in other processes, fails with an explanation. */
const onlyWith = (parts: Partial<App>): App =>
  new Proxy(parts, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name)
      throw new Error(`Several nodes have no app.${String(name)} in the process of a test.`)
    },
  }) as App
