/**
 * Runs a command against a newly started server, with BASE_URL and API_KEY in its environment.
 *
 *   node scripts/with-server.ts COMMAND [ARGUMENT ...]
 *   node scripts/with-server.ts --nodes 3 [--shards 2] COMMAND [ARGUMENT ...]
 *
 * With `--nodes`, each request goes to the next of several nodes, which share PostgreSQL and a trace store over HTTP,
 * in one or several shards.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostEnvironment } from '../fixtures/environment.ts'
import { startRoundRobin, startSeveralNodes } from '../server/testing/several-nodes.ts'

const parameters = process.argv.slice(2)
const take = (name: string): number | undefined =>
  parameters[0] === name ? Number(parameters.splice(0, 2)[1]) : undefined
const nodes = take('--nodes')
const shards = (nodes === undefined ? undefined : take('--shards')) ?? 1
const [command, ...commandArguments] = parameters
if (command === undefined || command.startsWith('--') || (nodes !== undefined && !(nodes > 0))) {
  console.error('Usage: node scripts/with-server.ts [--nodes COUNT [--shards COUNT]] COMMAND [ARGUMENT ...]')
  process.exit(2)
}

const key = 'pl_a-key-for-one-run-of-a-test-suite'
const service = await (nodes === undefined ? startOne() : startMany(nodes))
const status = await statusOf(
  spawn(command, commandArguments, {
    env: { ...hostEnvironment, BASE_URL: service.url, API_KEY: key },
    stdio: 'inherit',
  }),
)
const stopped = await service.stop()
if (stopped !== 0) console.error(`The server stopped with status ${stopped}.`)
process.exit(status === 0 ? stopped : status)

interface Service {
  readonly url: string
  /** Resolves with the exit status. */
  stop(): Promise<number>
}

async function startOne(): Promise<Service> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const server = spawn(process.execPath, [new URL('../server/start.mjs', import.meta.url).pathname], {
    env: {
      ...hostEnvironment,
      PORT: '0',
      OTLP_GRPC_PORT: '0',
      PLUMBLINE_DATA_DIR: dataFolder,
      PLUMBLINE_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    url: await addressOf(server),
    async stop() {
      server.kill('SIGTERM')
      const status = await statusOf(server)
      rmSync(dataFolder, { recursive: true, force: true })
      return status
    },
  }
}

async function startMany(count: number): Promise<Service> {
  const several = await startSeveralNodes(count, key, {}, shards)
  const proxy = await startRoundRobin(several)
  return {
    url: proxy.url,
    async stop() {
      proxy.stop()
      await several.stop()
      return 0
    },
  }
}

/** The URL in the startup banner. */
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
