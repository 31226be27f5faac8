/**
 * `npm run build`: builds the web app in `web/dist`, together with what a service offers for download: our clients, the
 * help and the sample data.
 *
 *   node scripts/build.ts [--if-changed]    only if the inputs have changed since the last build
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { isBuildCurrent, readBuildInputs, recordBuild } from './build/build-record.ts'

const root = join(import.meta.dirname, '..')
const commands = [
  // Empties the folder.
  [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'],
  ['scripts/packages.ts'],
  ['scripts/help.ts'],
  ['scripts/sample-data.ts'],
]

const inputs = readBuildInputs(root)
if (process.argv.includes('--if-changed') && isBuildCurrent(root, inputs)) process.exit()
for (const command of commands) {
  const { status } = spawnSync(process.execPath, command, { cwd: resolve(root), stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
// Changes made meanwhile may be missing from the build; the next build then finds different inputs.
recordBuild(root, inputs)
