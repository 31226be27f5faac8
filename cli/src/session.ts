/** The context of every command: the service, the output and the interrupt signal. */
import type { Writable } from 'node:stream'
import { createClient, type Plumbline } from '@plumbline/sdk'
import type { Command } from 'commander'
import type { Settings } from './settings.ts'

/** The environment of a command; tests pass their own. */
export interface Surroundings {
  readonly settings: Settings
  readonly stdout: Writable
  /** Shows progress here if it is a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
}

/** The options that every command has. */
interface SharedOptions {
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

/** The context of a command that does not call the service. */
export interface Terminal extends Surroundings {
  readonly isJson: boolean
  /** Writes the result: the value with `--json`, otherwise the text. */
  print(value: unknown, words: string): void
  /** Writes a note beside the result, to standard error. */
  tell(sentence: string): void
}

/** The context of a command that calls the service. */
export interface Session extends Terminal {
  readonly url: string
  readonly key: string
  readonly client: Plumbline
}

export const defaultUrl = 'http://localhost:4747'

/** A failure, described in one sentence; exit status 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Incorrect usage of a command; exit status 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** The command finished and has already reported a problem; exit status 1 without a message. */
export class FoundWrong extends Error {
  override readonly name = 'FoundWrong'
}

/** Opens a session from the options of the command and the environment. */
export function openSession(surroundings: Surroundings, command: Command): Session {
  const options = command.optsWithGlobals<SharedOptions>()
  const { settings } = surroundings
  const url = (options.url ?? settings.url ?? defaultUrl).replace(/\/+$/, '')
  const key = (options.key ?? settings.key)?.trim()
  if (key === undefined) throw new WrongUsage('Set an API key with --key or PLUMBLINE_API_KEY.')
  if (!/^[!-~]+$/.test(key))
    throw new WrongUsage(
      'The key must be an API key: pl_ and letters and digits. Set it with --key or PLUMBLINE_API_KEY.',
    )
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw new WrongUsage(`The address must look like ${defaultUrl}, not "${url}".`)
  const client = createClient({ baseUrl: url, apiKey: key })
  return { ...openTerminal(surroundings, command), url, key, client }
}

/** Opens the context of a command that does not call the service. */
export function openTerminal(surroundings: Surroundings, command: Command): Terminal {
  const { stdout, stderr } = surroundings
  const isJson = command.optsWithGlobals<SharedOptions>().json === true
  return {
    ...surroundings,
    isJson,
    print(value, words) {
      stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : words === '' ? '' : `${words}\n`)
    },
    tell(sentence) {
      stderr.write(`${sentence}\n`)
    },
  }
}

/** What a resource needs to add its commands. */
export interface CommandParts {
  readonly program: Command
  /** Wraps a function as a commander action; it receives the session, then the arguments and options. */
  action<Parameters extends unknown[]>(
    act: (session: Session, ...parameters: Parameters) => Promise<void>,
  ): (...args: unknown[]) => Promise<void>
  /** The same for a command that does not call the service. */
  offline<Parameters extends unknown[]>(
    act: (terminal: Terminal, ...parameters: Parameters) => Promise<void>,
  ): (...args: unknown[]) => Promise<void>
}
