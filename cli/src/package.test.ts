import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../../sdk/src/testing.ts'
import { emptyFolder } from './testing.ts'

const root = join(import.meta.dirname, '../..')
const folder = emptyFolder()
const call = promisify(execFile)
const main = join(folder, 'app/node_modules/@plumbline/cli/main.js')

before(async () => {
  const dist = join(folder, 'dist')
  await call(process.execPath, [join(root, 'cli/build.ts'), dist])
  await call('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: dist })
  // What `npm install` of the file would do, without asking a registry for the rest.
  const installed = join(main, '..')
  mkdirSync(installed, { recursive: true })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  await call('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', installed])
  const manifest = readFileSync(join(installed, 'package.json'), 'utf8')
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'app/node_modules', name))
})

it('the published package works on its own', async () => {
  const { url, workspace } = await startService()
  const words = ['--url', url, '--key', workspace.key.secret]
  const { stdout } = await call(process.execPath, [main, 'keys', 'list', ...words])
  assert.match(stdout, /Test/)
  await call(process.execPath, [main, 'demo', '--traces', '40', ...words])
  const listed = await call(process.execPath, [main, 'prompts', 'list', '--json', ...words])
  assert.equal((JSON.parse(listed.stdout) as unknown[]).length, 13)
})

it('serve says what to install if the service is missing', async () => {
  await assert.rejects(call(process.execPath, [main, 'serve']), /install the package @plumbline\/server/)
})
