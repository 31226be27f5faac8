/** A service of its own for tests of the page: a real one, on a folder that goes with it, with the demo's data in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Service {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const key = 'pl_a-key-for-the-tests-of-the-page'
const traces = 300

export async function startService(): Promise<Service> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const server = run(process.execPath, ['server/src/main.ts'], {
    PORT: '0',
    OTLP_GRPC_PORT: '0',
    PLUMBLINE_DATA_DIR: dataFolder,
    PLUMBLINE_API_KEY: key,
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    rmSync(dataFolder, { recursive: true, force: true })
  }
  try {
    const url = await addressOf(server)
    const demo = run('npm', ['run', 'demo', '--', '--url', url, '--key', key, '--traces', String(traces)], {})
    demo.stdout?.resume()
    const [code] = await once(demo, 'exit')
    if (code !== 0) throw new Error(`The demo ended with status ${code}.`)
    return { url, key, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const run = (command: string, args: readonly string[], environment: Record<string, string>): ChildProcess =>
  spawn(command, args, {
    cwd: root,
    env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** The address that the greeting tells. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found, fail) => {
    let told = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      told += chunk.toString()
      const address = /http:\/\/localhost:\d+/.exec(told)
      if (address !== null) found(address[0])
    })
    server.once('exit', (code) => fail(new Error(`The server ended with status ${code} before it listened.`)))
  })
}
