/** Each package of a running service, installed as Get started describes, in an otherwise empty folder. */
// One control plane is enough: the installed packages are the same.
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { operations } from '@plumbline/contract'
import { hostEnvironment } from '../fixtures/environment.ts'
import { eventually } from '../fixtures/eventually.ts'
import { freePort } from '../fixtures/free-port.ts'
import { startModelServer } from '../fixtures/model-server/server.ts'
import { createClient } from '../sdk/src/index.ts'
import { testKey } from '../sdk/src/testing.ts'
import { makeFeature, startTestApp, type TestWorkspace } from '../server/testing/test-app.ts'
import { frameworks } from '../web/src/get-started/framework-snippets.ts'
import { snippetsOf } from '../web/src/get-started/snippets.ts'
import { fencesOfFile } from './docs/fences.ts'
import { pythonCommand } from './python/find-python.ts'
import { pack } from './release/packed.ts'
import { buildWheel } from './release/wheel.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const call = promisify(execFile)

const pageFolder = join(folder, 'dist')
const packages = join(pageFolder, 'packages')
mkdirSync(pageFolder)
await call(process.execPath, [join(root, 'scripts/packages.ts'), packages])
const { listen, listenGrpc, newWorkspace } = await startTestApp({ pageFolder })
const [url, otlpGrpc] = [await listen(), await listenGrpc()]
const workspace = await newWorkspace()
const key = workspace.key.secret

const blocksOf = (id: string) =>
  snippetsOf({ url, otlpHttp: url, otlpGrpc }, key).find((each) => each.id === id)!.blocks

/** The command and the code that the page shows. */
function snippetOf(id: string): { command: string; code: string } {
  const blocks = blocksOf(id)
  return { command: blocks[0]!.code, code: blocks.at(-1)!.code }
}

const untilTraces = (count: number) =>
  eventually(async () => {
    const { traces } = await workspace.ok(operations.traces.list, { name: 'First trace' })
    assert.equal(traces.length, count)
  })

const untilGeneration = ({ ok }: TestWorkspace) =>
  eventually(async () => {
    const { traces } = await ok(operations.traces.list, {})
    assert.ok(
      traces.some(
        ({ totals }) => totals.models.some((model) => model.endsWith('gpt-4o')) && totals.outputTokens > 0,
      ),
    )
  })

/** A program that is configured only by OpenTelemetry's variables. */
const exportByVariables = (
  protocol: string,
): string => `from opentelemetry.exporter.otlp.proto.${protocol}.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
provider.get_tracer("first").start_span("by ${protocol}").end()
provider.shutdown()
`

describe('the packages of a running service', () => {
  it('send a first trace from an empty folder, with npm', async () => {
    const app = join(folder, 'sdk')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    const { command, code } = snippetOf('typescript')
    await call('sh', ['-c', `${command} --no-audit --no-fund`], { cwd: app })
    writeFileSync(join(app, 'first-trace.ts'), code)
    await call(process.execPath, ['first-trace.ts'], { cwd: app })
    await untilTraces(1)
  })

  it('turn Vitest tests into an experiment: a trace for each, with whether it passed', async () => {
    const app = join(folder, 'vitest')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
    const install = `npm install ${url}/packages/sdk.tgz vitest@^5 --no-audit --no-fund`
    await call('sh', ['-c', install], { cwd: app })
    const own = await newWorkspace()
    await makeFeature(own, { slug: 'support', name: 'Support' })
    writeFileSync(
      join(app, 'answers.test.ts'),
      `import { createClient } from '@plumbline/sdk'
      import { experimentTest } from '@plumbline/sdk/tests'
      import { afterAll, expect, test as declare } from 'vitest'
      const plumbline = createClient({ baseUrl: '${url}', apiKey: '${own.key.secret}' })
      const test = experimentTest({ plumbline, test: declare, after: afterAll, name: 'Shorter answers', featureSlug: 'support' })
      test('answers where', (trace) => {
        trace.update({ input: 'Where?', output: 'In Lyon.' })
      })
      test('answers when', async () => expect('Today.').toBe('Tomorrow.'))`,
    )
    const env = { ...hostEnvironment, CI: 'true' }
    const ended = await call('node_modules/.bin/vitest', ['run'], { cwd: app, env }).catch((error) => error)
    assert.match(stripVTControlCharacters(ended.stdout), /Tests +1 failed \| 1 passed/)
    const { experiments } = await own.ok(operations.experiments.list, {})
    assert.deepEqual(
      experiments.map(({ name }) => name),
      ['Shorter answers'],
    )
    await eventually(async () => {
      const { traces } = await own.ok(operations.traces.list, { experimentId: experiments[0]!.id })
      assert.deepEqual(traces.map(({ name }) => name).toSorted(), ['answers when', 'answers where'])
      const { scores } = await own.ok(operations.scores.list, { name: 'passed' })
      assert.deepEqual(scores.map(({ value }) => value).toSorted(), [false, true])
    })
  })

  for (const id of ['openai', 'ai-sdk'])
    it(`record ${id} as its tab of Get started says`, async () => {
      const app = join(folder, id)
      mkdirSync(app)
      writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
      const models = await startModelServer()
      after(() => models.close())
      const env = { ...hostEnvironment, OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'any' }
      const { command, code } = snippetOf(id)
      await call('sh', ['-c', `${command} --no-audit --no-fund`], { cwd: app })
      const own = await newWorkspace()
      writeFileSync(join(app, 'first-trace.ts'), code.replaceAll(key, own.key.secret))
      await call(process.execPath, ['first-trace.ts'], { cwd: app, env })
      await untilGeneration(own)
    })

  it('have a command line that can reach the service', async () => {
    const app = join(folder, 'cli')
    mkdirSync(app)
    await call('npm', ['install', '--no-audit', '--no-fund', '--prefix', app, `${url}/packages/cli.tgz`])
    const env = {
      PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${hostEnvironment.PATH}`,
      PLUMBLINE_URL: url,
      PLUMBLINE_API_KEY: key,
    }
    const { stdout } = await call(join(app, 'node_modules/.bin/plumbline'), ['traces', 'list'], { env })
    assert.match(stdout, /First trace/)
  })

  it('send a first trace from an empty virtual environment, with pip', async (context) => {
    const python = pythonCommand()
    if (python === undefined) {
      context.diagnostic('NOT RUN: there is no Python 3.10 or newer.')
      return
    }
    const venv = join(folder, 'venv')
    assert.equal(spawnSync(python, ['-m', 'venv', venv]).status, 0)
    const env = { ...hostEnvironment, PATH: `${join(venv, 'bin')}:${hostEnvironment.PATH}` }
    const { command, code } = snippetOf('python')
    await call('sh', ['-c', command], { env })
    await call('python', ['-c', code], { env })
    await untilTraces(2)
    const { stdout } = await call('pip', ['show', '--files', 'plumbline'], { env })
    assert.match(stdout, /plumbline\/py\.typed/)
    assert.match(stdout, /Requires: jinja2, opentelemetry-sdk, typing-extensions/i)
  })

  for (const { id } of frameworks) {
    it(`record ${id} as its tab of Get started says`, async (context) => {
      const python = pythonCommand()
      if (python === undefined) {
        context.diagnostic('NOT RUN: there is no Python 3.10 or newer.')
        return
      }
      const venv = join(folder, id)
      assert.equal(spawnSync(python, ['-m', 'venv', venv]).status, 0)
      const models = await startModelServer()
      after(() => models.close())
      const env = {
        ...hostEnvironment,
        PATH: `${join(venv, 'bin')}:${hostEnvironment.PATH}`,
        OPENAI_BASE_URL: models.url,
        OPENAI_API_KEY: 'any',
      }
      const { command, code } = snippetOf(id)
      await call('sh', ['-c', command], { env })
      const own = await newWorkspace()
      await call('python', ['-c', code.replaceAll(key, own.key.secret)], { env })
      await untilGeneration(own)
    })
  }

  it('send a first trace with the first lines of the Python guide, and of the OpenTelemetry guide', async (context) => {
    const python = pythonCommand()
    if (python === undefined) {
      context.diagnostic('NOT RUN: there is no Python 3.10 or newer.')
      return
    }
    const app = join(folder, 'guide')
    mkdirSync(app)
    const [commands, program] = fencesOfFile('docs/python.md')
    const typed = commands!.code.replaceAll('http://localhost:4747', url).replaceAll('pl_…', key)
    writeFileSync(join(app, 'first_trace.py'), program!.code)
    await call('bash', ['-ec', `${typed}\npython first_trace.py`], { cwd: app })
    await untilTraces(3)

    const blocks = blocksOf('opentelemetry')
    const code = blocks.at(-1)!
    const install = /pip install .*/.exec(code.title)![0]
    const { key: otherKey, ok } = await newWorkspace()
    const ownKey = (text: string): string => text.replaceAll(key, otherKey.secret)
    writeFileSync(join(app, 'in_code.py'), ownKey(code.code))
    const run = (text: string) => call('bash', ['-ec', `. venv/bin/activate\n${text}`], { cwd: app })
    await run(`${install}\npython in_code.py`)
    for (const [index, protocol] of ['http', 'grpc'].entries()) {
      writeFileSync(join(app, `by_${protocol}.py`), exportByVariables(protocol))
      await run(`${ownKey(blocks[index]!.code)}\npython by_${protocol}.py`)
    }
    await eventually(async () => {
      const { traces } = await ok(operations.traces.list, {})
      assert.deepEqual(traces.map(({ name }) => name).toSorted(), ['by grpc', 'by http', 'chat gpt-4o'])
    })
  })

  it('start the service itself from an empty folder, with npx', async () => {
    const app = join(folder, 'server')
    mkdirSync(app)
    const page = join(folder, 'page')
    mkdirSync(page)
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>Plumbline</title>')
    const archive = await pack('server', app, page)
    await call('npm', ['install', '--no-audit', '--no-fund', '--prefix', app, archive])
    const port = await freePort()
    const env = {
      PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${hostEnvironment.PATH}`,
      HOME: app,
      PORT: String(port),
      OTLP_GRPC_PORT: '0',
      PLUMBLINE_API_KEY: testKey,
    }
    const service = spawn('npx', ['--no-install', 'plumbline-server'], {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const end = (): void => {
      if (service.exitCode === null) process.kill(-service.pid!, 'SIGTERM')
    }
    after(end)
    let banner = ''
    for await (const chunk of service.stdout) {
      banner += chunk
      if (banner.includes('/app/setup')) break
    }
    service.stdout.resume()
    assert.match(banner, /Plumbline is ready/)
    const own = `http://127.0.0.1:${port}`
    assert.match(await (await fetch(`${own}/app/`)).text(), /<title>Plumbline/)
    const plumbline = createClient({ baseUrl: own, apiKey: testKey })
    const { trace } = await plumbline.monitor.trace({
      name: 'From a package',
      logs: [{ id: '1', type: 'generation', input: 'Hi', output: 'Hello.', metadata: { model: 'gpt-4o' } }],
    })
    // Once drained, the worker has built the rows and the trace store has stored them.
    await eventually(async () => {
      const { traces } = await plumbline.traces.list({})
      assert.deepEqual([traces[0]?.id, traces[0]?.totals.tokensEstimated], [trace.id, true])
    })
    end()
    await once(service, 'close')
  })

  it('are readable by the user that the service runs as', () => {
    assert.equal(statSync(packages).mode & 0o777, 0o755)
    for (const name of readdirSync(packages))
      assert.equal(statSync(join(packages, name)).mode & 0o044, 0o044, name)
  })

  it('have a wheel with identical bytes each time', () => {
    const { fileName, bytes } = buildWheel(root)
    assert.deepEqual(
      readdirSync(packages).filter((name) => name.endsWith('.whl')),
      [fileName],
    )
    assert.ok(bytes.equals(readFileSync(join(packages, fileName))))
  })
})
