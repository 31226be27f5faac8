/**
 * `node scripts/help.ts [FOLDER]`: the help that a running service shows at `/help/`, in `web/dist/help` next to the web app.
 * Part of `npm run build`.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildHelp } from './help/build-help.ts'

const root = join(import.meta.dirname, '..')
const [folder = join(root, 'web/dist/help')] = process.argv.slice(2)

mkdirSync(join(folder, '..'), { recursive: true })
// Built in a sibling folder and moved, so that a service never shows a partial help.
const buildFolder = mkdtempSync(`${folder}-`)
await buildHelp(root, buildFolder)
// The service may run as another user than the build.
chmodSync(buildFolder, 0o755)
rmSync(folder, { recursive: true, force: true })
renameSync(buildFolder, folder)
