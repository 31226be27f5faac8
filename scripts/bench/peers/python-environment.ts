/** Virtual environments with the peers from PyPI, kept for the next run. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonCommand } from '../../python/find-python.ts'

const installTimeoutMs = 900_000

/** The folder with the commands of a package; throws with the reason if it cannot be installed. */
export function environmentWith(requirement: string): string {
  const python = pythonCommand()
  if (python === undefined) throw new Error('there is no Python 3.10 or newer')
  const folder = join(tmpdir(), 'plumbline-peers', requirement)
  const ready = join(folder, 'ready')
  if (!existsSync(ready)) {
    rmSync(folder, { recursive: true, force: true })
    run(python, ['-m', 'venv', folder])
    run(join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', requirement])
    writeFileSync(ready, '')
  }
  return join(folder, 'bin')
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: installTimeoutMs })
  if (status === 0) return
  throw new Error(error?.message ?? stderr.trim().split('\n').at(-1) ?? `${command} failed`)
}
