/** The whole command line: every command, the shared options and error handling. */
import { RequestFailed } from '@plumbline/sdk'
import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addBackup } from './backup/commands.ts'
import { addDashboards } from './dashboards.ts'
import { addDatasets } from './datasets/commands.ts'
import { addDemo } from './demo/commands.ts'
import { addDoctor } from './doctor.ts'
import { addExchange } from './exchange/commands.ts'
import { addExperiments } from './experiments/commands.ts'
import { addKeys } from './keys.ts'
import { addPrices } from './prices.ts'
import { addPrompts } from './prompts/commands.ts'
import { addServe } from './serve.ts'
import {
  type CommandParts,
  defaultUrl,
  FoundWrong,
  openSession,
  openTerminal,
  type Surroundings,
  WrongUsage,
} from './session.ts'
import { addTraces } from './traces/commands.ts'
import { addUpgrade } from './upgrade.ts'
import { addVerify } from './verify.ts'

/** Runs one command. The exit status: 0 for success, 1 for a failure, 2 for incorrect usage. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  // Not an option of the program, which would override `--version` of commands that use it for something else.
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    surroundings.stdout.write(`${manifest.version}\n`)
    return 0
  }
  try {
    await makeProgram(surroundings).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof FoundWrong) return 1
    surroundings.stderr.write(`${describeError(error)}\n`)
    return error instanceof WrongUsage ? 2 : 1
  }
}

function makeProgram(surroundings: Surroundings): Command {
  const program = new Command('plumbline')
    .description('Manages a Plumbline service: its keys, prompts, datasets and traces.')
    .option('--url <address>', `URL of the service (PLUMBLINE_URL; ${defaultUrl} by default)`)
    .option('--key <key>', 'API key, pl_… (PLUMBLINE_API_KEY)')
    .option('--json', 'write the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit status: 0 for success, 1 for a failure, 2 for incorrect usage.\nStart with `plumbline doctor`. `plumbline --version` prints the version.',
    )
  const parts: CommandParts = {
    program,
    action: makeAction((command) => openSession(surroundings, command)),
    offline: makeAction((command) => openTerminal(surroundings, command)),
  }
  addServe(parts)
  addDoctor(parts)
  addDemo(parts)
  addKeys(parts)
  addPrompts(parts)
  addDatasets(parts)
  addDashboards(parts)
  addExperiments(parts)
  addTraces(parts)
  addPrices(parts)
  addExchange(parts)
  addBackup(parts)
  addVerify(parts)
  addUpgrade(parts)
  return program
}

const makeAction =
  <Opened>(open: (command: Command) => Opened) =>
  <Parameters extends unknown[]>(handler: (context: Opened, ...parameters: Parameters) => Promise<void>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = args.at(-1) as Command
    // Safe: commander passes the declared arguments and options, then the command.
    const parameters = args.slice(0, -1) as Parameters
    await handler(open(command), ...parameters)
  }

function describeError(error: unknown): string {
  if (error instanceof RequestFailed && error.status === 401)
    return `${error.message} Set another key with --key or PLUMBLINE_API_KEY.`
  return error instanceof Error ? error.message : String(error)
}
