/** `plumbline serve`: the service as a process of its own, which ends with this one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CommandFailed, type CommandParts, FoundWrong, type Terminal } from './session.ts'

interface ServeOptions {
  readonly host?: string
  readonly port?: string
  readonly otlpPort?: string
  readonly dataDir?: string
  readonly logLevel?: string
}

/** The service reads the environment, and says itself what is wrong with a setting. */
const variables = {
  host: 'HOST',
  port: 'PORT',
  otlpPort: 'OTLP_GRPC_PORT',
  dataDir: 'PLUMBLINE_DATA_DIR',
  logLevel: 'LOG_LEVEL',
} as const satisfies Record<keyof ServeOptions, string>

/** The trace store's library has threads wait, of which Node has four unless it is told otherwise. */
const threads = '16'

export function addServe({ program, offline }: CommandParts): void {
  program
    .command('serve')
    .description('Runs the service here until it is interrupted.')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port of the API and the page (PORT; else 4747)')
    .option('--otlp-port <port>', 'port of OTLP over gRPC (OTLP_GRPC_PORT; else 4317)')
    .option('--data-dir <folder>', 'folder of everything that is stored (PLUMBLINE_DATA_DIR; else ./data)')
    .option('--log-level <level>', 'least severe diagnostics to print (LOG_LEVEL; else info)')
    .addHelpText('after', '\nEverything else is set in the environment: see docs/settings.md.')
    .action(offline(serve))
}

async function serve({ settings, stdout, stderr, signal }: Terminal, options: ServeOptions): Promise<void> {
  const given = Object.entries(variables).flatMap(([option, name]) => {
    const value = options[option as keyof ServeOptions]
    return value === undefined ? [] : [[name, value] as const]
  })
  const service = spawn(process.execPath, [serviceMain()], {
    env: { UV_THREADPOOL_SIZE: threads, ...settings.environment, ...Object.fromEntries(given) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  service.stdout.pipe(stdout, { end: false })
  service.stderr.pipe(stderr, { end: false })
  // It finishes what is under way. A terminal has told it already, and telling it twice does no harm.
  const stop = (): void => void service.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const [status, endedBy] = (await once(service, 'close')) as [number | null, NodeJS.Signals | null]
  signal.removeEventListener('abort', stop)
  if (endedBy !== null) throw new CommandFailed(`The service was ended by ${endedBy}.`)
  // It has said why.
  if (status !== 0) throw new FoundWrong()
}

/** The service is a package of its own, for most who use the command line have it elsewhere. */
function serviceMain(): string {
  try {
    return fileURLToPath(import.meta.resolve('@plumbline/server/main'))
  } catch (cause) {
    throw new CommandFailed('The service is not installed here: it is the package @plumbline/server.', {
      cause,
    })
  }
}
