/** `plumbline serve`: runs the service as a child process that ends with this one. */
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

/** The service reads these variables and reports invalid settings itself. */
const variables = {
  host: 'HOST',
  port: 'PORT',
  otlpPort: 'OTLP_GRPC_PORT',
  dataDir: 'PLUMBLINE_DATA_DIR',
  logLevel: 'LOG_LEVEL',
} as const satisfies Record<keyof ServeOptions, string>

export function addServe({ program, offline }: CommandParts): void {
  program
    .command('serve')
    .description('Runs the service here until it is interrupted.')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port of the API and the web app (PORT; 4747 by default)')
    .option('--otlp-port <port>', 'port of OTLP over gRPC (OTLP_GRPC_PORT; 4317 by default)')
    .option('--data-dir <folder>', 'data folder (PLUMBLINE_DATA_DIR; ./data by default)')
    .option('--log-level <level>', 'minimum level of diagnostics to print (LOG_LEVEL; info by default)')
    .addHelpText('after', '\nSet everything else in the environment: see docs/settings.md.')
    .action(offline(serve))
}

async function serve({ settings, stdout, stderr, signal }: Terminal, options: ServeOptions): Promise<void> {
  const overrides = Object.entries(variables).flatMap(([option, name]) => {
    const value = options[option as keyof ServeOptions]
    return value === undefined ? [] : [[name, value] as const]
  })
  const service = spawn(process.execPath, [findServiceStart()], {
    env: { ...settings.environment, ...Object.fromEntries(overrides) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  service.stdout.pipe(stdout, { end: false })
  service.stderr.pipe(stderr, { end: false })
  // The service finishes running requests. A terminal has already signalled it; a second signal is harmless.
  const stop = (): void => void service.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const [status, exitSignal] = (await once(service, 'close')) as [number | null, NodeJS.Signals | null]
  signal.removeEventListener('abort', stop)
  if (exitSignal !== null) throw new CommandFailed(`The service was killed by ${exitSignal}.`)
  // The service has printed the reason.
  if (status !== 0) throw new FoundWrong()
}

/** The service is a separate package, because most users of the command line run it elsewhere. */
function findServiceStart(): string {
  try {
    return fileURLToPath(import.meta.resolve('@plumbline/server/start'))
  } catch (cause) {
    throw new CommandFailed('The service is not installed here: install the package @plumbline/server.', {
      cause,
    })
  }
}
