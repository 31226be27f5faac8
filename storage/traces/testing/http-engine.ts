/** The embedded engine behind ClickHouse's HTTP interface, as a process, so that stores reach it over the network. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'testing-http.ts')

export interface HttpEngine {
  readonly url: string
  stop(): Promise<void>
  /** Kills it at once, like a power cut. */
  kill(): Promise<void>
}

/** Starts the engine on a folder, on a free port if none is named. */
export async function startHttpEngine(folder: string, port = 0): Promise<HttpEngine> {
  const engine = spawn(process.execPath, [script, folder, String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [address] = await once(engine.stdout, 'data')
  return {
    url: `http://127.0.0.1:${String(address).trim()}`,
    async stop() {
      if (engine.exitCode !== null || engine.signalCode !== null) return
      engine.stdin.end()
      await once(engine, 'exit')
    },
    async kill() {
      engine.kill('SIGKILL')
      await once(engine, 'exit')
    },
  }
}
