/** Starts a real service for browser tests, in a temporary directory, with the demo data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hostEnvironment } from '../../../fixtures/environment.ts'

export interface Service {
  readonly url: string
  readonly key: string
  /** The one-time link that creates the first owner; already used, unless the service is new. */
  readonly setUpUrl: string
  stop(): Promise<void>
}

const root = resolve(import.meta.dirname, '../../..')
const key = 'pl_a-key-for-the-tests-of-the-page'

/** The owner of the shared service. */
export const owner = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'correct horse battery',
} as const

/**
 * With `isNew` it is in its initial state, without an owner or data; otherwise it has an owner, and with `traces`
 * that number of demo traces and all other demo data.
 */
export async function startService({
  isNew = false,
  traces = 300,
  settings = {} as Readonly<Record<string, string>>,
} = {}): Promise<Service> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const server = run(process.execPath, ['server/src/main.ts'], {
    PORT: '0',
    OTLP_GRPC_PORT: '0',
    PLUMBLINE_DATA_DIR: dataFolder,
    PLUMBLINE_API_KEY: key,
    // The model server of the tests is on this machine.
    PLUMBLINE_MODEL_HOSTS: '127.0.0.1,localhost',
    PLUMBLINE_ENDPOINT_HOSTS: '127.0.0.1,localhost',
    // So are the receivers of alerts.
    PLUMBLINE_WEBHOOK_HOSTS: '127.0.0.1,localhost',
    ...settings,
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    rmSync(dataFolder, { recursive: true, force: true })
  }
  try {
    const { url, setUpUrl } = await greetingOf(server)
    if (!isNew) await Promise.all([traces > 0 ? fill(url, traces) : undefined, setUp(url, setUpUrl)])
    return { url, key, setUpUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const run = (command: string, args: readonly string[], environment: Record<string, string>): ChildProcess =>
  spawn(command, args, {
    cwd: root,
    env: { ...hostEnvironment, UV_THREADPOOL_SIZE: '16', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function fill(url: string, traces: number): Promise<void> {
  const demo = run('npm', ['run', 'demo', '--', '--url', url, '--key', key, '--traces', String(traces)], {})
  demo.stdout?.resume()
  demo.stderr?.pipe(process.stderr)
  const [code] = await once(demo, 'exit')
  if (code !== 0) throw new Error(`The demo ended with status ${code}.`)
}

async function setUp(url: string, setUpUrl: string): Promise<void> {
  const answer = await fetch(`${url}/auth/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token: new URL(setUpUrl).searchParams.get('token'), ...owner }),
  })
  if (!answer.ok) throw new Error(`The set-up was refused: ${await answer.text()}`)
}

/** The link in the startup banner, and the listening address: the banner shows the public URL. */
function greetingOf(server: ChildProcess): Promise<{ readonly url: string; readonly setUpUrl: string }> {
  return new Promise((resolve, fail) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const [, port] = /"port":(\d+)/.exec(output) ?? []
      const [setUpUrl] = /http:\S+\/setup\?token=[\w-]+(?=\s)/.exec(output) ?? []
      if (port !== undefined && setUpUrl !== undefined) resolve({ url: `http://localhost:${port}`, setUpUrl })
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read).pipe(process.stderr)
    server.once('exit', (code) => fail(new Error(`The server ended with status ${code} before it listened.`)))
  })
}
