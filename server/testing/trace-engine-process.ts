/** A trace store that several nodes reach over HTTP, as a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const script = join(import.meta.dirname, '../../storage/traces/testing/testing-http.ts')

/** Starts the engine on a folder. */
export async function startTraceEngine(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const engine = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(engine.stdout, 'data')
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      if (engine.exitCode !== null) return
      engine.stdin.end()
      await once(engine, 'exit')
    },
  }
}
