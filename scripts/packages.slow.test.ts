/** Each package of a running service, installed as its user would, where nothing else of ours is. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { operations } from '@plumbline/contract'
import { hostEnvironment } from '../fixtures/environment.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startTestApp, type TestWorkspace } from '../server/testing/test-app.ts'
import { pythonCommand } from './python/find-python.ts'
import { buildWheel } from './release/wheel.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const call = promisify(execFile)

describe('the packages of a running service', () => {
  let url: string
  let workspace: TestWorkspace
  let names: string[]

  before(async () => {
    const pageFolder = join(folder, 'dist')
    mkdirSync(pageFolder)
    await call(process.execPath, [join(root, 'scripts/packages.ts'), join(pageFolder, 'packages')])
    names = readdirSync(join(pageFolder, 'packages'))
    const app = await startTestApp({ pageFolder })
    url = await app.listen()
    workspace = await app.newWorkspace()
  })

  const traceNamed = (name: string) =>
    eventually(async () => {
      const { traces } = await workspace.ok(operations.traces.list, { name })
      assert.equal(traces.length, 1)
    })

  it('send a first trace from an empty folder, by npm', async () => {
    const app = join(folder, 'sdk')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    await call('npm', ['install', '--no-audit', '--no-fund', `${url}/packages/sdk.tgz`], { cwd: app })
    const program = `import { createClient } from '@plumbline/sdk'
      const plumbline = createClient({ baseUrl: '${url}', apiKey: '${workspace.key.secret}' })
      plumbline.trace({ name: 'by npm' }).end()
      await plumbline.close()`
    writeFileSync(join(app, 'first.js'), program)
    await call(process.execPath, ['first.js'], { cwd: app })
    await traceNamed('by npm')
  })

  it('have a command line that reaches the service', async () => {
    const app = join(folder, 'cli')
    mkdirSync(app)
    await call('npm', ['install', '--no-audit', '--no-fund', '--prefix', app, `${url}/packages/cli.tgz`])
    const env = { PATH: hostEnvironment.PATH, PLUMBLINE_URL: url, PLUMBLINE_API_KEY: workspace.key.secret }
    const { stdout } = await call(join(app, 'node_modules/.bin/plumbline'), ['traces', 'list'], { env })
    assert.match(stdout, /by npm/)
  })

  it('send a first trace from an empty virtual environment, by pip', async (context) => {
    const python = pythonCommand()
    if (python === undefined) {
      context.diagnostic('NOT RUN: there is no Python 3.10 or newer.')
      return
    }
    const venv = join(folder, 'venv')
    assert.equal(spawnSync(python, ['-m', 'venv', venv]).status, 0)
    const wheel = names.find((name) => name.endsWith('.whl'))!
    await call(join(venv, 'bin/pip'), ['install', '--disable-pip-version-check', `${url}/packages/${wheel}`])
    const program = 'import plumbline\nwith plumbline.trace("by pip"):\n    pass\n'
    const env = { PLUMBLINE_URL: url, PLUMBLINE_API_KEY: workspace.key.secret }
    await call(join(venv, 'bin/python'), ['-c', program], { env })
    await traceNamed('by pip')
    const { stdout } = await call(join(venv, 'bin/pip'), ['show', '--files', 'plumbline'])
    assert.match(stdout, /plumbline\/py\.typed/)
    assert.match(stdout, /Requires: jinja2, opentelemetry-sdk, typing-extensions/)
  })

  it('are the same bytes each time', () => {
    const wheel = names.find((name) => name.endsWith('.whl'))!
    const { fileName, bytes } = buildWheel(root)
    assert.equal(fileName, wheel)
    assert.ok(bytes.equals(readFileSync(join(folder, 'dist/packages', wheel))))
  })
})
