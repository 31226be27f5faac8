import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { installPacked } from '../../scripts/release/packed.ts'
import { fates, startProxy, startService } from './testing.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const call = (command: string, words: string[], cwd: string) => promisify(execFile)(command, words, { cwd })

/** The Node installed on the machine, since the repository may run this test with a Node of its own. */
const path = (hostEnvironment.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
const plainNode = ['-c', 'command -v node || echo "$0"', process.execPath]

describe('the published package', () => {
  const app = join(folder, 'app')
  let node: string

  before(async () => {
    await installPacked('sdk', app)
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    const output = await promisify(execFile)('sh', plainNode, { env: { PATH: path.join(delimiter) } })
    node = output.stdout.trim()
  })

  it('contains neither tests nor sources', () => {
    const files = readdirSync(join(app, 'node_modules/@plumbline/sdk'), { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((name) => /\.test\.|testing|(?<!\.d)\.ts$/.test(name)),
      [],
    )
  })

  it('runs on the Node that the machine has', async () => {
    const { url, workspace } = await startService()
    const proxy = await startProxy(url)
    proxy.fate(fates.pass, fates.breakOff)
    const program = `import { createClient } from '@plumbline/sdk'
      import { render } from '@plumbline/sdk/render'
      import { wrapOpenAI } from '@plumbline/sdk/openai'
      import { wrapModel } from '@plumbline/sdk/ai-sdk'
      const plumbline = createClient({ baseUrl: '${proxy.url}', apiKey: '${workspace.key.secret}', onError() {} })
      const output = await plumbline.trace({ name: 'installed' }, (trace) =>
        trace.span({ name: 'inside' }, async () => render({ text: 'Hi {{ name }}', systemText: '' }, { name: 'Ada' })[0].content))
      const { delivered, retried } = await plumbline.close()
      console.log(output, delivered, retried, typeof wrapOpenAI, typeof wrapModel)`
    writeFileSync(join(app, 'main.js'), program)
    const { stdout } = await call(node, ['main.js'], app)
    assert.equal(stdout, 'Hi Ada 2 1 function function\n')
  })

  it('can be required, with one of each class for all entry points', async () => {
    const program = `const { createClient, RequestFailed } = require('@plumbline/sdk')
      const { waitForJudging } = require('@plumbline/sdk/gate')
      const fetch = async () => Response.json({ error: 'Gone.' }, { status: 410 })
      const plumbline = createClient({ baseUrl: 'http://localhost', apiKey: 'pl_x', fetch })
      waitForJudging(plumbline, 'x').catch((error) => console.log(error instanceof RequestFailed, error.message))`
    writeFileSync(join(app, 'main.cjs'), program)
    // Like Jest and older versions of Node, which cannot require ES modules.
    const { stdout } = await call(process.execPath, ['--no-experimental-require-module', 'main.cjs'], app)
    assert.equal(stdout, 'true Gone.\n')
  })

  it('has the types of the contract, for Node and for bundlers, also in CommonJS files', async () => {
    const program = `import { createClient, RequestFailed, type StoredTrace } from '@plumbline/sdk'
      import { render } from '@plumbline/sdk/render'
      import { wrapOpenAI } from '@plumbline/sdk/openai'
      import { wrapModel } from '@plumbline/sdk/ai-sdk'
      export const plumbline = createClient({ baseUrl: 'http://localhost:4747', apiKey: 'pl_x', render })
      export const name = async (): Promise<string> => {
        const { trace } = await plumbline.traces.get({ id: 'x' })
        const whole: StoredTrace = trace
        const { messages } = await plumbline.prompt('greeting', { variables: { name: 'Ada' } })
        // @ts-expect-error: there is no such field.
        console.log(messages[0]?.content.length, whole.nobodyKnowsIt, wrapOpenAI, wrapModel, RequestFailed)
        // @ts-expect-error: the slug is missing.
        await plumbline.prompts.get({ tag: 'production' })
        return whole.name ?? String(plumbline.dropped)
      }`
    for (const file of ['typed.ts', 'typed.cts']) writeFileSync(join(app, file), program)
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
    for (const resolution of [
      ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
      ['--module', 'node16', '--moduleResolution', 'node16'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ])
      await call(
        join(root, 'node_modules/.bin/tsc'),
        [...strict, ...resolution, '--types', '', 'typed.ts', 'typed.cts'],
        app,
      )
  })
})
