import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startModelServer } from '../../../fixtures/model-server/server.ts'
import { startService } from '../../../sdk/src/testing.ts'
import {
  makeDataset,
  makeEvaluator,
  makeExperiment,
  makeFeature,
  makeLivePrompt,
} from '../../../server/testing/test-app.ts'
import { emptyFolder, makeShell } from '../testing.ts'

const models = await startModelServer({
  script: [
    { when: 'Shout', text: 'PONG' },
    { when: 'Ping', text: 'Pong' },
  ],
})
after(() => models.close())
const { url, workspace } = await startService({ settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' } })
const shell = makeShell(url, workspace.key.secret)
const folder = emptyFolder()

const model = { provider: 'open-ai', model: 'gpt-4o' }
await makeFeature(workspace)
await makeLivePrompt(workspace, { text: 'Ping {{ question }}', model }, { featureSlug: 'chat' })
await workspace.ok(operations.versions.create, { slug: 'greeting', text: 'Shout {{ question }}', model })
await makeDataset(workspace)
await workspace.ok(operations.datasets.append, {
  slug: 'cases',
  rows: Array.from({ length: 8 }, (_, index) => ({ values: { question: `${index}` }, idealOutput: 'Pong' })),
})
await makeEvaluator(workspace, { slug: 'exact', name: 'Exact', kind: 'equals', config: {} })
await workspace.ok(operations.connections.create, {
  name: 'Fake',
  provider: 'open-ai',
  apiKey: 'sk-any',
  baseUrl: models.url,
})

interface Run {
  readonly experimentId: string
  readonly status: string
  readonly counts: { readonly done: number }
}
const started = ['experiments', 'start', '--dataset', 'cases', '--prompt', 'greeting', '--connection', 'Fake']
const judgedBy = ['--evaluator', 'exact', '--concurrency', '4']
const baseline = await shell.json<Run>(...started, ...judgedBy)
const candidate = await shell.json<Run>(...started, ...judgedBy, '--version', '1.0.1')
const gated = [
  ...['experiments', 'gate', '--wait', '60'],
  ...['--candidate', candidate.experimentId, '--baseline', baseline.experimentId],
]

it('start runs the version in production, or another, and waits for it', () => {
  assert.deepEqual([baseline.status, baseline.counts.done, candidate.counts.done], ['done', 8, 8])
})

it('start reports missing options, and exits with 1 if a case fails', async () => {
  assert.equal((await shell(...started, '--endpoint', 'https://example.com')).status, 2)
  assert.equal((await shell(...started.slice(0, -1), 'Nobody')).status, 2)
  const failing = await shell(...started, '--model', 'fake-401')
  assert.equal(failing.status, 1)
  assert.match(failing.stdout, /8 failed/)
})

it('start accepts a version by its tag, and attach adds a trace', async () => {
  const latest = await shell.json<Run & { target: { version: string } }>(
    ...started,
    '--tag',
    'latest',
    '--detach',
  )
  assert.equal(latest.target.version, '1.0.1')
  const { trace } = await workspace.ok(operations.monitor.trace, { input: 'a', output: 'b' })
  const attachment = await shell.json('experiments', 'attach', latest.experimentId, trace.id)
  assert.deepEqual(attachment, { attached: 1, existing: 0, elsewhere: [] })
})

it('gate exits with 0 if all rules hold and with 1 if one fails, and gives the reasons in Markdown', async () => {
  const same = await shell(
    ...['experiments', 'gate', '--wait', '60', '--rule', 'score.exact >= 0.9', '--rule', 'p < 0.05'],
    ...['--candidate', baseline.experimentId, '--baseline', candidate.experimentId],
  )
  assert.equal(same.status, 0, same.stdout + same.stderr)
  const markdown = join(folder, 'summary.md')
  const worse = await shell(
    ...gated,
    ...['--rule', 'delta(score.exact) >= -0.02', '--rule', 'p < 0.05', '--markdown', markdown],
  )
  assert.equal(worse.status, 1, worse.stderr)
  assert.match(worse.stdout, /fail +delta\(score\.exact\) >= -0\.02 +score\.exact differs by -1/)
  assert.match(worse.stdout, /worse in 8 of 8 cases, p = 0\.00781/)
  const text = readFileSync(markdown, 'utf8')
  assert.match(text, /The gate fails/)
  assert.match(text, /\/app\/experiments\/compare\?ids=/)
})

it('gate exits with 1 if nothing can be decided, and with 2 for an invalid rule', async () => {
  const unknown = await shell(...gated, '--rule', 'score.nobody >= 1')
  assert.equal(unknown.status, 1)
  assert.match(unknown.stdout, /inconclusive +score\.nobody >= 1/)
  const unreadable = await shell(...gated, '--rule', 'better')
  assert.equal(unreadable.status, 2)
  assert.match(unreadable.stderr, /"better" is no rule/)
})

it('gate decides nothing about regressions if the baseline has no cases, for example because its traces have expired', async () => {
  const empty = await makeExperiment(workspace)
  const passed = await shell(
    ...['experiments', 'gate', '--candidate', candidate.experimentId, '--baseline', empty.id],
    ...['--rule', 'regressions <= 0'],
  )
  assert.equal(passed.status, 1)
  assert.match(passed.stdout, /inconclusive +regressions <= 0 +No case was run by both\./)
})

it('start prints the cost of a run to the cent, or with three digits if it is small', async () => {
  const { version } = await workspace.ok(operations.versions.create, {
    ...{ slug: 'greeting', model },
    text: `Ping ${'and again '.repeat(100)}{{ question }}`,
  })
  const runAt = async (inputPerMillion: number): Promise<string> => {
    const price = { model: 'gpt-4o', inputPerMillion, outputPerMillion: 0 }
    const { priceOverride } = await workspace.ok(operations.prices.create, price)
    const { stdout } = await shell(...started, '--version', version.version)
    await workspace.ok(operations.prices.delete, { id: priceOverride.id })
    return stdout
  }
  assert.match(await runAt(1e6), /, 8 done, \$\d{1,3}(,\d{3})+\.\d\d\n$/)
  assert.match(await runAt(1e-4), /, 8 done, \$0\.0{3,}[1-9]\d{0,2}\n$/)
})
