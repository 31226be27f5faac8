/** The real server as a process that tests kill. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hostEnvironment } from '../../fixtures/environment.ts'

/** A server in a process of its own. */
export interface Running {
  /** Resolves to the URL once the server reports that it is ready. */
  readonly url: Promise<string>
  /** Its standard output so far: the startup banner, once the URL is known. */
  banner(): string
  /** Resolves when the process has ended and its locks are released. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** Starts the real server on a folder and on free ports, optionally with extra settings and a command prefix. */
export function startServer(
  folder: string,
  apiKey: string,
  settings: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Running {
  const [command = '', ...parameters] = [
    ...prefix,
    process.execPath,
    join(import.meta.dirname, '../start.mjs'),
  ]
  const child = spawn(command, parameters, {
    env: {
      ...hostEnvironment,
      PORT: '0',
      OTLP_GRPC_PORT: '0',
      HOST: '127.0.0.1',
      PLUMBLINE_DATA_DIR: folder,
      PLUMBLINE_API_KEY: apiKey,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  let output = ''
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const port = /http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    exited.then(([code, signal]) =>
      reject(new Error(`The server ended (${code ?? signal}) before it was ready.`)),
    )
  })
  // A test that kills a starting server does not wait for its URL.
  url.catch(() => {})
  return {
    url,
    banner: () => output,
    async stop(signal) {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}
