import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { startService } from '../../../sdk/src/testing.ts'
import { makeDataset, makeFeature } from '../../../server/testing/test-app.ts'
import { emptyFolder, makeShell } from '../testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)
const folder = emptyFolder()
await makeFeature(workspace)

const moduleOf = (name: string, lines: string): string => {
  const file = join(folder, name)
  writeFileSync(file, lines)
  return file
}

const plan = `{
  name: 'Echo',
  featureSlug: 'chat',
  dataset: [{ values: { question: 'a' }, idealOutput: 'a' }, { values: { question: 'b' }, idealOutput: 'x' }],
  run: async (row) => row.values.question,
  evaluators: { exact: ({ row, output }) => output === row.idealOutput },
}`
const echo = moduleOf('echo.ts', `export default ${plan} as object`)

interface Result {
  readonly experiment: { readonly id: string; readonly name: string }
  readonly rows: number
  readonly scores: { readonly exact: { readonly mean: number } }
  readonly hasPassed: boolean
}

it('run runs a module over its rows, stores the results, and lists the experiment', async () => {
  const done = await shell.json<Result>('experiments', 'run', echo, '--name', 'Second', '--concurrency', '2')
  assert.deepEqual([done.rows, done.scores.exact.mean, done.experiment.name], [2, 0.5, 'Second'])
  const { stdout } = await shell('experiments', 'list', '--feature', 'chat')
  assert.match(stdout, /Second +chat/)
  await eventually(async () => {
    const traces = await shell.json<unknown[]>('traces', 'list', '--name', 'Second')
    assert.equal(traces.length, 2)
  })
})

it('run and start accept a version and a selection of the dataset', async () => {
  await makeDataset(workspace)
  const { ids } = await workspace.ok(operations.datasets.append, {
    slug: 'cases',
    rows: ['train', 'test'].map((split) => ({ values: { question: split }, split, labels: [split] })),
  })
  await workspace.ok(operations.datasetVersions.create, { slug: 'cases' })
  await workspace.ok(operations.datasets.discard, { slug: 'cases', ids })
  const part = ['--dataset', 'cases', '--dataset-version', '1', '--split', 'test', '--label', 'test']
  assert.equal((await shell.json<Result>('experiments', 'run', echo, ...part)).rows, 1)
  const target = ['--endpoint', 'https://endpoint.invalid/run', '--feature', 'chat', '--detach']
  const run = await shell.json<Record<string, unknown>>('experiments', 'start', ...part, ...target)
  assert.deepEqual([run.datasetVersion, run.split, run.label, run.rowCount], [1, 'test', 'test', 1])
  assert.equal(
    (await shell('experiments', 'run', echo, ...part.slice(0, 2), '--dataset-version', 'x')).status,
    2,
  )
})

it('run exits with 1 below a threshold and with 0 above it, and prints the table', async () => {
  const failedGate = await shell('experiments', 'run', echo, '--threshold', 'exact=0.9')
  assert.equal(failedGate.status, 1)
  assert.match(failedGate.stdout, /exact +0\.5 +0\.9 +2 +failed/)
  const passedGate = await shell('experiments', 'run', echo, '--threshold', 'exact=0.5')
  assert.equal(passedGate.status, 0, passedGate.stderr)
  assert.match(passedGate.stdout, /The experiment has passed\./)
})

it('run passes the client to a module that exports a function', async () => {
  const moduleText = `async (plumbline) => {
    const { features } = await plumbline.features.list()
    return { ...${plan}, featureSlug: features[0].slug }
  }`
  const file = moduleOf('made.mjs', `export default ${moduleText}`)
  assert.equal((await shell('experiments', 'run', file)).status, 0)
})

it('run reports an invalid module, threshold or number', async () => {
  const empty = moduleOf('empty.mjs', 'export default { name: "x", featureSlug: "chat", dataset: "cases" }')
  assert.match(
    (await shell('experiments', 'run', empty)).stderr,
    /the default export needs a function "run"\./,
  )
  assert.match((await shell('experiments', 'run', join(folder, 'no.ts'))).stderr, /There is no file/)
  for (const words of [
    ['--threshold', 'exact'],
    ['--threshold', 'other=1'],
    ['--concurrency', '0'],
  ])
    assert.equal((await shell('experiments', 'run', echo, ...words)).status, 2, words.join(' '))
})
