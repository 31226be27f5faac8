/** Runs maintenance of the service's package on a data folder that no service is using. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { CommandFailed, type Terminal } from './session.ts'

/** Resolves with its output. */
export async function runMaintenance(
  terminal: Terminal,
  parameters: readonly string[],
  dataDir: string | undefined,
): Promise<string> {
  const child = spawn(process.execPath, [findMaintenance(), ...parameters], {
    env: {
      UV_THREADPOOL_SIZE: '16',
      ...terminal.settings.environment,
      ...(dataDir === undefined ? {} : { PLUMBLINE_DATA_DIR: dataDir }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, problem, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (status !== 0) throw new CommandFailed(problem.trim() || 'It ended early.')
  return output
}

/** The service is a separate package, because most users of the command line run it elsewhere. */
function findMaintenance(): string {
  try {
    return fileURLToPath(import.meta.resolve('@plumbline/server/maintenance'))
  } catch (cause) {
    throw new CommandFailed('The service is not installed here: install the package @plumbline/server.', {
      cause,
    })
  }
}
