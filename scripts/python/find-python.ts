import { spawnSync } from 'node:child_process'

const isRecent = 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)'

/** A Python version that the client supports; undefined if there is none. */
export const pythonCommand = (): string | undefined =>
  ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'].find(
    (command) => spawnSync(command, ['-c', isRecent]).status === 0,
  )
