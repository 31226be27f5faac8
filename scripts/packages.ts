/**
 * `node scripts/packages.ts [FOLDER]`: the client packages that a running service offers for download, in
 * `web/dist/packages` next to the web app. Part of `npm run build`.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientPackages, pack } from './release/packed.ts'
import { buildWheel } from './release/wheel.ts'

const root = join(import.meta.dirname, '..')
const [folder = join(root, 'web/dist/packages')] = process.argv.slice(2)

mkdirSync(join(folder, '..'), { recursive: true })
// Built in a sibling folder and moved, so that a service never offers a partial package.
const buildFolder = mkdtempSync(`${folder}-`)
for (const name of clientPackages) renameSync(await pack(name, buildFolder), join(buildFolder, `${name}.tgz`))
const wheel = buildWheel(root)
writeFileSync(join(buildFolder, wheel.fileName), wheel.bytes)
// The service may run as another user than the build.
chmodSync(buildFolder, 0o755)
rmSync(folder, { recursive: true, force: true })
renameSync(buildFolder, folder)
