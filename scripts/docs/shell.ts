/** A shell that runs the commands of the documentation as a reader types them, except that it ends by itself. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hostEnvironment } from '../../fixtures/environment.ts'

const root = join(import.meta.dirname, '../..')
const call = promisify(execFile)

/**
 * Uses the command line of this checkout, lets `npm run demo` create only few traces, and interrupts endless commands
 * once they have printed something.
 */
const preamble = `
set -euo pipefail
cli() { node ${root}/cli/src/main.ts "$@"; }
curl() { command curl --fail-with-body "$@"; }
npx() { "$@"; }
npm() { [ "$1 $2" = "run demo" ]; shift 2; [ "\${1:-}" != "--" ] || shift; node ${root}/scripts/demo.ts --traces 40 "$@"; }
plumbline() {
  case "$1 \${2:-}" in
    "traces tail" | "serve --data-dir") interrupt_after_output "$@" ;;
    *) cli "$@" ;;
  esac
}
interrupt_after_output() {
  local output; output=$(mktemp -p .)
  node ${root}/cli/src/main.ts "$@" > "$output" &
  local child=$!
  until [ -s "$output" ]; do
    kill -0 $child
    sleep 0.1
  done
  kill -INT $child
  wait $child
}
`

/** Runs commands with `bash`; a failing command ends them, and its output becomes the error. */
export async function runShell(
  code: string,
  {
    folder,
    environment,
  }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
): Promise<string> {
  const startFile = join(folder, 'start.sh')
  writeFileSync(startFile, preamble)
  const env = {
    ...hostEnvironment,
    PATH: `${join(root, 'node_modules/.bin')}:${hostEnvironment.PATH}`,
    ...environment,
    BASH_ENV: startFile,
  }
  // A shell whose input is a socket, as with Node, assumes a network connection and reads .bashrc instead of BASH_ENV.
  const { stdout } = await call('bash', ['--norc', '-c', code], { cwd: folder, env, timeout: 300_000 })
  return stdout
}
