import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { promisify } from 'node:util'
import { installPacked } from '../../scripts/release/packed.ts'
import { startService } from '../../sdk/src/testing.ts'
import { emptyFolder } from './testing.ts'

const call = promisify(execFile)
const app = join(emptyFolder(), 'app')
let main: string

before(async () => {
  main = join(await installPacked('cli', app), 'main.js')
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

it('serve names the package to install if the service is missing', async () => {
  await assert.rejects(call(process.execPath, [main, 'serve']), /install the package @plumbline\/server/)
})
