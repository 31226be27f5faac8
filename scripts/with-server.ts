/** Runs a command against a freshly started server: BASE_URL and API_KEY are in its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostEnvironment } from '../fixtures/environment.ts'

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: node scripts/with-server.ts COMMAND [ARGUMENT ...]')
  process.exit(2)
}

const key = 'pl_a-key-for-one-run-of-a-test-suite'
const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const server = spawn(process.execPath, [new URL('../server/src/main.ts', import.meta.url).pathname], {
  env: {
    ...hostEnvironment,
    PORT: '0',
    OTLP_GRPC_PORT: '0',
    PLUMBLINE_DATA_DIR: dataFolder,
    PLUMBLINE_API_KEY: key,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})

const address = await addressOf(server)
const status = await statusOf(
  spawn(command, args, { env: { ...hostEnvironment, BASE_URL: address, API_KEY: key }, stdio: 'inherit' }),
)
server.kill('SIGTERM')
const stopped = await statusOf(server)
rmSync(dataFolder, { recursive: true, force: true })
if (stopped !== 0) console.error(`The server stopped with status ${stopped}.`)
process.exit(status === 0 ? stopped : status)

/** The address that the greeting tells. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const match = /http:\/\/localhost:\d+/.exec(output)
      if (match !== null) resolve(match[0])
    })
    child.on('exit', (code) => reject(new Error(`The server ended with status ${code} before it listened.`)))
  })
}

function statusOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
