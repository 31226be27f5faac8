/** What every command is given: where the service is, where to write, and when to stop. */
import type { Writable } from 'node:stream'
import { createClient, type Plumbline } from '@plumbline/sdk'
import type { Command } from 'commander'
import type { Settings } from './settings.ts'

/** What a command runs in; a test gives its own. */
export interface Surroundings {
  readonly settings: Settings
  readonly stdout: Writable
  /** Progress is drawn here, if it is a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal
}

/** The options that every command has. */
interface SharedOptions {
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

/** What a command works with that asks no service. */
export interface Terminal extends Surroundings {
  readonly isJson: boolean
  /** Writes the result: the value itself with `--json`, else its words. */
  print(value: unknown, words: string): void
  /** Tells the person something beside the result, on standard error. */
  tell(sentence: string): void
}

/** What a command works with that asks a service. */
export interface Session extends Terminal {
  readonly url: string
  readonly key: string
  readonly client: Plumbline
}

export const defaultUrl = 'http://localhost:4747'

/** Something is wrong, in one sentence; the exit status is 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** The command was called in a way that makes no sense; the exit status is 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** The command did its work and told of something that is wrong: nothing is left to say, the exit status is 1. */
export class FoundWrong extends Error {
  override readonly name = 'FoundWrong'
}

/** A session as the options of this command and the environment say. */
export function openSession(surroundings: Surroundings, command: Command): Session {
  const options = command.optsWithGlobals<SharedOptions>()
  const { settings } = surroundings
  const url = (options.url ?? settings.url ?? defaultUrl).replace(/\/+$/, '')
  const key = options.key ?? settings.key
  if (key === undefined) throw new WrongUsage('Give an API key with --key or in PLUMBLINE_API_KEY.')
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw new WrongUsage(`The address must be like ${defaultUrl}, not "${url}".`)
  const client = createClient({ baseUrl: url, apiKey: key })
  return { ...openTerminal(surroundings, command), url, key, client }
}

/** What needs no service, as the options of this command say. */
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

/** What a resource adds its commands to, and how those run. */
export interface CommandParts {
  readonly program: Command
  /** An action of commander, made of a function that is given the session before the arguments and the options. */
  action<Parameters extends unknown[]>(
    act: (session: Session, ...parameters: Parameters) => Promise<void>,
  ): (...given: unknown[]) => Promise<void>
  /** The same for a command that needs no service. */
  offline<Parameters extends unknown[]>(
    act: (terminal: Terminal, ...parameters: Parameters) => Promise<void>,
  ): (...given: unknown[]) => Promise<void>
}
