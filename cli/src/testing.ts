/** Runs commands against the real service and captures their output. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after } from 'node:test'
import { run } from './run.ts'
import type { Surroundings } from './session.ts'

export interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** A writable stream that collects text. */
export class Paper extends Writable {
  text = ''
  isTTY = false
  override _write(chunk: Buffer, _encoding: string, onDone: () => void): void {
    this.text += chunk.toString()
    onDone()
  }
}

export interface Shell {
  (...words: string[]): Promise<Outcome>
  /** The result of a command with `--json`, which must succeed. */
  json<Result>(...words: string[]): Promise<Result>
}

/** A shell whose environment names the service and the key. */
export function makeShell(url: string, key: string, others: Partial<Surroundings> = {}): Shell {
  const shell = async (...words: string[]): Promise<Outcome> => {
    const stdout = new Paper()
    const stderr = new Paper()
    const { signal } = new AbortController()
    const status = await run(words, {
      settings: { url, key, environment: {} },
      stdout,
      stderr,
      signal,
      ...others,
    })
    return { status, stdout: stdout.text, stderr: stderr.text }
  }
  const json = async <Result>(...words: string[]): Promise<Result> => {
    const { status, stdout, stderr } = await shell(...words, '--json')
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}${stdout}`)
    // Safe: the tests verify the shape of what they read.
    return JSON.parse(stdout) as Result
  }
  return Object.assign(shell, { json })
}

/** An empty folder, removed after the tests. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
