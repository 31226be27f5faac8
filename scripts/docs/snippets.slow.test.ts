/** Runs the code of the README and of `docs/` as written against a running service, page by page. */
// A process of its own: it starts the service, stops it, and starts a restored copy.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { eventually } from '../../fixtures/eventually.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { startModelServer } from '../../fixtures/model-server/server.ts'
import { createClient } from '../../sdk/src/index.ts'
import { spawnService, testKey } from '../../sdk/src/testing.ts'
import { type Fence, readFences } from './fences.ts'
import { runShell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-docs-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const models = await startModelServer()
after(() => models.close())

/** A price list that is newer than the bundled one. */
const priceFile = join(folder, 'prices.json')
const releasedPrices = JSON.parse(readFileSync(join(root, 'server/prices/prices.json'), 'utf8')) as object
writeFileSync(priceFile, JSON.stringify({ ...releasedPrices, version: '2999-01-01' }))

const [port, grpcPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
await spawnService(join(folder, 'service'), port, {
  OTLP_GRPC_PORT: String(grpcPort),
  PLUMBLINE_PRICES: priceFile,
  PLUMBLINE_PRIVATE_MODEL_URLS: 'true',
})
const plumbline = createClient({ baseUrl: url, apiKey: testKey })
after(() => plumbline.close())
const environment: Record<string, string> = {
  PLUMBLINE_URL: url,
  PLUMBLINE_API_KEY: testKey,
  PLUMBLINE_KEY: testKey,
  TITLE: 'A change',
}
const { connectionId, traceId } = await fillWorkspace()

/** What the pages assume: names that they use, files that a reader has. */
async function fillWorkspace() {
  const { features, prompts, versions, datasets, connections, evaluators } = plumbline
  await features.create({ slug: 'chat', name: 'Chat' })
  await features.create({ slug: 'support', name: 'Support' })
  const model = { provider: 'open-ai', model: 'gpt-4o-mini' }
  await prompts.create({ slug: 'greeting', name: 'Greeting' })
  await versions.create({ slug: 'greeting', text: 'Hi {{ name }}', tags: ['production'] })
  await versions.create({ slug: 'greeting', text: 'Hello {{ name }}' })
  await prompts.create({ slug: 'support-answer', name: 'Support answer', featureSlug: 'support' })
  const answer = { slug: 'support-answer', text: 'Answer {{ question }}', version: '3.1.0', model }
  await versions.create({ ...answer, tags: ['production'] })
  for (const slug of ['cases', 'support-golden']) {
    await datasets.create({ slug, name: slug, columns: [{ name: 'question', type: 'text' }] })
    // As many rows as the gate needs to decide.
    for (let row = 1; row <= 8; row++)
      await datasets.add({ slug, values: { question: `Where is parcel ${row}?` }, idealOutput: 'In Lyon.' })
  }
  const provider = { provider: 'open-ai', apiKey: 'sk-any', baseUrl: models.url } as const
  const { connection } = await connections.create({ name: 'OpenAI', ...provider })
  await evaluators.create({
    ...{ slug: 'support-helpful', name: 'Helpful', kind: 'length', config: { min: 1 } },
  })
  const { trace } = await plumbline.monitor.trace({
    name: 'Chat',
    featureSlug: 'support',
    output: 'In Lyon.',
  })
  writeFileSync(join(folder, 'faelle.csv'), 'Frage,answer\nWo?,In Lyon.\n')
  cpSync(join(root, 'fixtures/exchange/langfuse'), join(folder, 'langfuse-export'), { recursive: true })
  return { connectionId: connection.id, traceId: trace.id }
}

/** Fills in what a reader would: the URL of the service, a key, an id. */
const fillIn = (code: string): string =>
  code
    .replaceAll('http://localhost:4747', url)
    .replaceAll('http://localhost:4317', `http://127.0.0.1:${grpcPort}`)
    .replaceAll('pl_…', testKey)
    .replaceAll('019b…', traceId)
    .replaceAll('"connectionId": "…"', `"connectionId": "${connectionId}"`)

const shell = (code: string): Promise<string> => runShell(code, { folder, environment })

/** Runs a module from a file; `code` may import packages of the workspace. */
async function runModule(code: string): Promise<void> {
  const file = join(folder, 'module.ts')
  const absolute = (_match: string, name: string): string => `from '${import.meta.resolve(name)}'`
  writeFileSync(file, code.replaceAll(/from '(@[^']+)'/g, absolute))
  await shell(`node ${file}`)
}

type Run = (code: string) => Promise<unknown>

/** How the code of a page runs if the language does not determine it: by file and language, in page order. */
const special: Readonly<Record<string, readonly Run[]>> = {
  'README.md ts': [runModule],
  'README.md sh': [
    (code) => shell(`PLUMBLINE_DATA_DIR=${join(folder, 'demo')}; export PLUMBLINE_DATA_DIR\n${code}`),
  ],
  'docs/annotation.md json': [(code) => createEvaluator('rubric', 'human', JSON.parse(code))],
  'docs/cli.md ts': [
    async (code) => {
      // `answer` is the reader's own function.
      const answer = `const answer = async (question: unknown) => 'In Lyon.'\n`
      writeFileSync(join(folder, 'shorter.ts'), answer + code)
    },
  ],
  'docs/control-store.md ts': [
    (code) =>
      runModule(`import { openControlStore } from '@plumbline/storage/control'
        import { mkdirSync } from 'node:fs'
        mkdirSync('data')
        ${code.replace(/^await/m, `await workspace.prompts.create({ slug: 'greet', name: 'Greet', description: '' }, new Date())\n$&`)}
        await store.close()`),
  ],
  'docs/dashboards.md sh': [async () => {}],
  'docs/dashboards.md json': [
    async (code) => {
      mkdirSync(join(folder, 'dashboards'))
      writeFileSync(join(folder, 'dashboards/support.json'), code)
      const [commands] = fencesOf('docs/dashboards.md', 'sh')
      await shell(commands!.code)
      const { dashboards } = await plumbline.dashboards.list({})
      assert.deepEqual(
        dashboards.map(({ slug }) => slug),
        ['support'],
      )
    },
  ],
  'docs/evaluation.md json': [
    (code) => plumbline.evaluators.update({ slug: 'support-helpful', liveRule: JSON.parse(code) }),
    (code) => plumbline.evaluators.update({ slug: 'support-helpful', liveRule: JSON.parse(code) }),
    (code) => createEvaluator('guide', 'llm', JSON.parse(code)),
    (code) => createEvaluator('near', 'embedding_similarity', JSON.parse(code)),
  ],
  'docs/evaluation.md js': [(code) => createEvaluator('words', 'code', { source: code })],
  'docs/experiments.md yaml': [runWorkflow],
  'docs/langfuse.md sh': [
    (code) =>
      shell(
        `${code}\ncurl -s -u $LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY $LANGFUSE_HOST/api/public/projects`,
      ),
  ],
  'docs/mcp.md json': [listTools],
  'docs/opentelemetry.md sh': [exportSpan],
  'docs/operations.md sh': [
    async (code) => {
      cpSync(join(folder, 'restored'), join(folder, 'data'), { recursive: true })
      await shell(code)
    },
  ],
}

const createEvaluator = (
  slug: string,
  kind: 'human' | 'llm' | 'embedding_similarity' | 'code',
  config: object,
) => plumbline.evaluators.create({ slug, name: slug, kind, config: config as Record<string, unknown> })

/** The first request of an agent to the configured server. */
async function listTools(code: string): Promise<void> {
  const { mcpServers } = JSON.parse(code) as {
    mcpServers: Record<string, { url: string; headers: Record<string, string> }>
  }
  const { url: address, headers } = mcpServers.plumbline!
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(address, { method: 'POST', headers: { ...headers, ...types }, body })
  assert.equal(response.status, 200)
  assert.match(await response.text(), /traces/)
}

/** Uses the variables of OpenTelemetry's own exporters. */
async function exportSpan(code: string): Promise<void> {
  const exporter = import.meta.resolve('@opentelemetry/exporter-trace-otlp-grpc')
  const sdk = import.meta.resolve('@opentelemetry/sdk-trace-base')
  const file = join(folder, 'export.mjs')
  writeFileSync(
    file,
    `import exporters from '${exporter}'
    import sdk from '${sdk}'
    const processor = new sdk.BatchSpanProcessor(new exporters.OTLPTraceExporter())
    const provider = new sdk.BasicTracerProvider({ spanProcessors: [processor] })
    provider.getTracer('docs').startSpan('By variables').end()
    await provider.shutdown()`,
  )
  await shell(`${code}\nnode ${pathToFileURL(file).pathname}`)
  await eventually(async () => {
    const { traces } = await plumbline.traces.list({ name: 'By variables' })
    assert.equal(traces.length, 1)
  })
}

interface Workflow {
  readonly jobs: Record<string, { readonly steps: readonly { readonly run?: string }[] }>
}

/** Runs the commands of a GitHub workflow, except the installation of the command line. */
async function runWorkflow(code: string): Promise<void> {
  // The run of the page's first command is the one in production.
  const { experiments } = await plumbline.experiments.list({ limit: 1 })
  const values: Readonly<Record<string, string>> = {
    'github.event.pull_request.title': 'A change',
    'vars.BASELINE_EXPERIMENT': experiments[0]!.id,
  }
  const { jobs } = parse(code) as Workflow
  const commands = Object.values(jobs)
    .flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run))
    .filter((run) => !run.startsWith('npm install'))
    .join('\n')
    .replaceAll(/\$\{\{ (\S+) \}\}/g, (_match, name: string) => values[name]!)
  assert.equal(commands.includes('undefined'), false)
  await shell(`GITHUB_STEP_SUMMARY=summary.md\n${commands}`)
}

const fences = readFences().filter(({ notRun, test }) => notRun === undefined && test === undefined)
const fencesOf = (file: string, language: string): Fence[] =>
  fences.filter((fence) => fence.file === file && fence.language === language)

/** Pages that are tested in the package that they describe. */
const elsewhere = new Set(['docs/sdk.md', 'docs/python.md'])

for (const fence of fences) {
  const { file, line, language, code } = fence
  if (elsewhere.has(file) || language === 'text') continue
  it(`${file}:${line} does what it says`, async () => {
    const runs = special[`${file} ${language}`]
    const run = runs === undefined ? undefined : runs[fencesOf(file, language).indexOf(fence)]
    if (runs === undefined) assert.equal(language, 'sh', 'Say how this runs, or that it is not run.')
    await (run ?? shell)(fillIn(code))
  })
}
